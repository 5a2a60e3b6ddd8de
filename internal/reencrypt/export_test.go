package reencrypt

const LeadsPerBatch = leadsPerBatch
