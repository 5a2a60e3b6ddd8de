// Command pack compresses the static files with brotli into a folder, from which package static embeds them, and
// deletes what belongs to no file any more: go generate ./static.
package main

import (
	"bytes"
	"io/fs"
	"log"
	"os"

	"github.com/andybalholm/brotli"

	"hearthline/static"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: pack folder")
	}
	if err := pack(os.Args[1], static.Compressible()); err != nil {
		log.Fatal(err)
	}
}

// pack makes the folder contain one file for each content, named by its hash, and nothing else.
func pack(folder string, contents map[string][]byte) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := root.Remove(e.Name()); err != nil {
			return err
		}
	}
	for hash, content := range contents {
		if err := root.WriteFile(hash+".br", compress(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compress compresses at the highest level.
func compress(content []byte) []byte {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, brotli.BestCompression)
	_, _ = w.Write(content) // a bytes.Buffer never fails
	_ = w.Close()
	return out.Bytes()
}
