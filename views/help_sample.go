package views

import (
	"embed"

	"hearthline/views/ui"
)

// The code that the help shows to administrators of CRMs lies in files, so that tests run it.
//
//go:embed samples
var sampleFiles embed.FS

// HelpSample is a piece of code on a page of the help.
type HelpSample struct {
	Name string // of the file
	Text string
}

// Sample reads one by its file's name; the zero HelpSample when there is none.
func Sample(name string) HelpSample {
	text, err := sampleFiles.ReadFile("samples/" + name)
	if err != nil {
		return HelpSample{}
	}
	return HelpSample{Name: name, Text: string(text)}
}

func (t HelpTable) columns() []ui.Column {
	out := make([]ui.Column, len(t.Columns))
	for i, label := range t.Columns {
		out[i].Label = label
	}
	return out
}

// isTableOnly says that a section has nothing but its table.
func (s HelpSection) isTableOnly() bool {
	return len(s.Table.Columns) > 0 && len(s.Text)+len(s.Terms)+len(s.Steps)+len(s.Code)+len(s.More) == 0
}
