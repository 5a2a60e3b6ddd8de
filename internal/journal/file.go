package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"hearthline/internal/filelock"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Answer is the lender's answer to one operation, as the journal file stores it: ids, a status and a time, and nothing
// about the borrower. The lender's messages are not stored, because they may quote the borrower.
type Answer struct {
	Operation string       `json:"operation"`
	App       heloc.AppID  `json:"app,omitempty"` // the application that the answer to a start names
	State     lead.OpState `json:"state"`         // the verdict
	Status    int          `json:"status,omitempty"`
	RequestID string       `json:"requestId,omitempty"`
	SentAt    int64        `json:"sentAt"` // when the operation was sent, in milliseconds
	At        int64        `json:"at"`     // when it was answered
}

// File holds the lender's answers that the database has not stored yet, so that they survive a database
// failure or a process exit between the answer and its transaction. Only one process at a time uses it.
//
// The file has a fixed size and is written in place, so that a full disk cannot stop a write to it. Each of its slots
// is one line of text: a checksum and an Answer as JSON, or spaces.
type File struct {
	file *os.File

	mu      sync.Mutex
	free    []int          // slots
	unsaved map[int]Answer // of an earlier process, by slot
	failed  error          // why the last write failed
}

const (
	answerSlots    = 1024 // the most operations that can wait for their answers at once
	answerSlotSize = 512  // bytes; a sector, so that a power failure leaves either the old or the new line
	maxRequestID   = 100  // bytes of the lender's request id
)

// errFileFull means that too many answers wait for the database.
var errFileFull = errors.New("the journal file is full")

// maxFiles is how many processes can use one path.
const maxFiles = 16

// OpenFile opens the first of the files path, path.2, path.3 … that no other process uses, creates it if it is absent,
// and locks it until Close or process exit. It takes over the answers that ended processes left
// in the others.
func OpenFile(path string) (*File, error) {
	var own *File
	for n := 1; n <= maxFiles; n++ {
		name := fileName(path, n)
		if _, err := os.Stat(name); own != nil && errors.Is(err, fs.ErrNotExist) {
			return own, nil
		}
		f, err := openFile(name)
		switch {
		case errors.Is(err, filelock.ErrLocked):
			continue
		case err != nil && own != nil:
			return nil, errors.Join(err, own.Close())
		case err != nil:
			return nil, err
		case own == nil:
			own = f
		default:
			if err := errors.Join(own.takeOver(f), f.Close()); err != nil {
				return nil, errors.Join(err, own.Close())
			}
		}
	}
	if own == nil {
		return nil, filelock.ErrLocked
	}
	return own, nil
}

func openFile(path string) (_ *File, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	filelock.InheritOwner(f, filepath.Dir(path))
	if err := filelock.Lock(f); err != nil {
		return nil, err
	}
	a := &File{file: f, unsaved: map[int]Answer{}}
	if err := a.allocate(path); err != nil {
		return nil, err
	}
	return a, a.load()
}

// takeOver moves another file's answers into this one. Answers that do not fit stay in the other file.
func (a *File) takeOver(other *File) error {
	for slot, left := range other.unsaved {
		to, err := a.reserve()
		if errors.Is(err, errFileFull) {
			return nil
		}
		if err == nil {
			err = a.record(to, left)
		}
		if err != nil {
			return err
		}
		a.unsaved[to] = left
		if err := other.write(slot, emptySlot(), true); err != nil {
			return err
		}
	}
	return nil
}

// allocate writes the slots that the file lacks, so that a full disk cannot prevent writing them later.
func (a *File) allocate(path string) error {
	info, err := a.file.Stat()
	if err != nil || info.Size() >= answerSlots*answerSlotSize {
		return err
	}
	whole := info.Size() / answerSlotSize
	blank := bytes.Repeat(emptySlot(), int(answerSlots-whole))
	if _, err := a.file.WriteAt(blank, whole*answerSlotSize); err != nil {
		return err
	}
	if err := a.file.Sync(); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path)) // sync the directory entry so that it survives a power failure
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// load reads the answers that an earlier process has left.
func (a *File) load() error {
	all := make([]byte, answerSlots*answerSlotSize)
	if _, err := a.file.ReadAt(all, 0); err != nil {
		return err
	}
	for slot := range answerSlots {
		if left, ok := parseSlot(all[slot*answerSlotSize:][:answerSlotSize]); ok {
			a.unsaved[slot] = left
		} else {
			a.free = append(a.free, slot)
		}
	}
	return nil
}

// ReadFiles returns the answers in the files path, path.2, path.3 …, which it neither locks nor changes.
func ReadFiles(path string) (all []Answer, err error) {
	for n := 1; n <= maxFiles; n++ {
		content, err := os.ReadFile(fileName(path, n))
		if errors.Is(err, fs.ErrNotExist) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		for slot := range slices.Chunk(content, answerSlotSize) {
			if left, ok := parseSlot(slot); ok {
				all = append(all, left)
			}
		}
	}
	return all, nil
}

// fileName returns the name of the nth file, counting from 1.
func fileName(path string, n int) string {
	if n == 1 {
		return path
	}
	return path + "." + strconv.Itoa(n)
}

// Close closes the file and unlocks it.
func (a *File) Close() error { return errors.Join(filelock.Unlock(a.file), a.file.Close()) }

// Check does a test write and returns an error if answers cannot be recorded.
func (a *File) Check() error {
	slot, err := a.reserve()
	if err != nil {
		return err
	}
	return a.release(slot)
}

// reserve takes a slot for the answer to an operation that is about to be sent, and checks that it can be written.
func (a *File) reserve() (slot int, err error) {
	if a == nil {
		return 0, nil
	}
	a.mu.Lock()
	if len(a.free) == 0 {
		a.mu.Unlock()
		return 0, errFileFull
	}
	slot = a.free[len(a.free)-1]
	a.free = a.free[:len(a.free)-1]
	failed := a.failed != nil
	a.mu.Unlock()
	if err = a.write(slot, emptySlot(), failed); err != nil {
		a.mu.Lock()
		a.free = append(a.free, slot)
		a.mu.Unlock()
	}
	return slot, err
}

// record stores an answer in its slot. Once record returns nil, the answer survives a power failure.
func (a *File) record(slot int, answer Answer) error {
	if a == nil {
		return nil
	}
	if len(answer.RequestID) > maxRequestID {
		answer.RequestID = ""
	}
	line, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return a.write(slot, formatSlot(line), true)
}

// release empties a slot. It does not sync: if the answer reappears after a crash, the database already has it.
func (a *File) release(slot int) error {
	if a == nil {
		return nil
	}
	err := a.write(slot, emptySlot(), false)
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.unsaved, slot)
	a.free = append(a.free, slot)
	return err
}

func (a *File) write(slot int, line []byte, sync bool) error {
	_, err := a.file.WriteAt(line, int64(slot)*answerSlotSize)
	if err == nil && sync {
		err = a.file.Sync()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if sync || err != nil { // only a synced write proves that a failed disk works again
		a.failed = err
	}
	return err
}

func emptySlot() []byte { return formatSlot(nil) }

// formatSlot returns a slot with a line of text, or an empty slot for an empty line.
func formatSlot(line []byte) []byte {
	slot := bytes.Repeat([]byte{' '}, answerSlotSize)
	slot[answerSlotSize-1] = '\n'
	if len(line) > 0 {
		copy(slot, fmt.Sprintf("%08x ", crc32.ChecksumIEEE(line)))
		copy(slot[9:], line)
	}
	return slot
}

// parseSlot returns the answer in a slot; ok is false for an empty or partially written slot.
func parseSlot(slot []byte) (answer Answer, ok bool) {
	sum, line, _ := bytes.Cut(bytes.TrimSpace(slot), []byte{' '})
	want, err := strconv.ParseUint(string(sum), 16, 32)
	if err != nil || uint32(want) != crc32.ChecksumIEEE(line) {
		return answer, false
	}
	return answer, json.Unmarshal(line, &answer) == nil
}
