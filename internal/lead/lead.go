// Package lead declares the portal's own rows and their states: leads, the operations that were sent for them, their
// events, dates, notes, notices and jobs, and the originators they belong to. Every layer names these types, so they
// have no methods that do I/O: internal/store reads and writes them, internal/journal decides the states of
// operations, and internal/desk decides who may see them. What the lender defines is in internal/heloc.
//
// Fields with instants contain milliseconds (Millis, Instant), amounts are in cents, and fields that are described as
// sealed are encrypted by internal/vault.
package lead
