package main

import (
	"context"
	"fmt"
	"syscall"
)

// ready returns nil when the portal can do its work: the database can be written, the journal file has space for
// another answer, and the data folder has enough free space.
func (p *portal) ready(ctx context.Context) error {
	if err := p.journalFile.Check(); err != nil {
		return fmt.Errorf("the journal file: %w", err)
	}
	if err := checkFreeSpace(p.cfg.Data, p.cfg.Portal.MinFree); err != nil {
		return err
	}
	return p.store.Ready(ctx)
}

// checkFreeSpace returns an error if the file system of a folder has less free space than least, in bytes.
func checkFreeSpace(folder string, least uint64) error {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return fmt.Errorf("the free space of %s: %w", folder, err)
	}
	if free := fs.Bavail * uint64(fs.Bsize); free < least { //nolint:gosec // the size of a block is positive
		return fmt.Errorf("%d MB are free in %s, fewer than PORTAL_MIN_FREE", free/1e6, folder)
	}
	return nil
}
