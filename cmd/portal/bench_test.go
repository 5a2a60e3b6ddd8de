package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/bench"
	"hearthline/internal/config"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// newLargeInstallation returns the configuration of an installation with n leads of as many originators as
// PORTAL_BENCH_PEOPLE says, and n audit rows.
func newLargeInstallation(b *testing.B, n int) config.Config {
	b.Helper()
	dir := b.TempDir()
	cfg := config.Config{Data: dir}
	cfg.Portal.KeysetFile, cfg.Portal.KEK.File = filepath.Join(dir, "keyset.json"), filepath.Join(dir, "elsewhere", "kek")
	db, v, err := openOrCreate(b.Context(), cfg, time.Now)
	checkBench(b, err)
	company := access.Owner{Organization: "Evergreen"}
	people := bench.AddPeople(b, db, company, benchPeople(b))
	checkBench(b, db.Write(b.Context(), func(tx *store.Tx) error {
		return tx.SaveSetting(b.Context(), currentKeySetting, v.CurrentKey())
	}))
	checkBench(b, db.Close())
	bench.Fill(b, databaseAddress(cfg), v, bench.Data{Leads: n, Company: company, Originators: people, Unassigned: true,
		Audit: n, Now: time.Now()})
	return cfg
}

func benchPeople(b *testing.B) int {
	b.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("PORTAL_BENCH_PEOPLE"), "100"))
	checkBench(b, err)
	return n
}

func checkBench(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// printTime prints how long something takes, and how much processor time of this process.
func printTime(b *testing.B, what string, do func()) {
	b.Helper()
	cpu := func() time.Duration {
		var u syscall.Rusage
		checkBench(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	began, spent := time.Now(), cpu()
	do()
	b.Logf("%-40s %8.2f s, %8.2f s of processor time", what, time.Since(began).Seconds(), (cpu() - spent).Seconds())
}

// BenchmarkMaintenance runs what operators run in a large installation.
func BenchmarkMaintenance(b *testing.B) {
	for _, n := range bench.Sizes(b) {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			cfg := newLargeInstallation(b, n)
			for b.Loop() {
				withLarge(b, cfg, func(ctx context.Context, db *store.Store, v *vault.Vault) {
					printTime(b, "audit verify", func() {
						checkBench(b, dispatch(ctx, config.Invocation{Command: "audit verify", Config: cfg},
							streams{out: &bytes.Buffer{}}))
					})
					var out bytes.Buffer
					d := &diagnosis{streams: streams{out: &out, err: &out}}
					printTime(b, "doctor: encrypted values", func() { d.encryptedValues(ctx, reencrypt.New(db, v, time.Now)) })
					if d.failed {
						b.Error(out.String())
					}
				})
				printTime(b, "doctor", func() {
					var out bytes.Buffer
					doctor(b.Context(), config.Invocation{Config: cfg}, nil, streams{out: &out, err: &out})
				})
				checkBench(b, vault.Rotate(keyFiles(cfg)))
				withLarge(b, cfg, func(ctx context.Context, db *store.Store, v *vault.Vault) {
					checkBench(b, useKeys(ctx, db, v, reencrypt.New(db, v, time.Now)))
				})
				printTime(b, "keys finish", func() {
					checkBench(b, dispatch(b.Context(), config.Invocation{Command: "keys finish", Config: cfg},
						streams{out: &bytes.Buffer{}}))
				})
			}
		})
	}
}

func withLarge(b *testing.B, cfg config.Config, do func(ctx context.Context, db *store.Store, v *vault.Vault)) {
	b.Helper()
	db, v, err := openExisting(b.Context(), cfg, time.Now)
	checkBench(b, err)
	do(b.Context(), db, v)
	checkBench(b, db.Close())
}
