package help

import (
	"embed"

	"hearthline/views/ui"
)

// The code samples for CRM administrators are in files, so that tests can run them.
//
//go:embed samples
var sampleFiles embed.FS

// File is a code sample on a help page.
type File struct {
	Name string // name of the file
	Text string
}

// Sample reads a sample by file name; it returns the zero File if there is none.
func Sample(name string) File {
	text, err := sampleFiles.ReadFile("samples/" + name)
	if err != nil {
		return File{}
	}
	return File{Name: name, Text: string(text)}
}

func (t Table) columns() []ui.Column {
	out := make([]ui.Column, len(t.Columns))
	for i, label := range t.Columns {
		out[i].Label = label
	}
	return out
}

// isTableOnly reports whether a section contains only its table.
func (s Section) isTableOnly() bool {
	return len(s.Table.Columns) > 0 && len(s.Text)+len(s.Terms)+len(s.Steps)+len(s.Code)+len(s.More) == 0
}
