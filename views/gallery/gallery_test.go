package gallery

import (
	"testing"

	"github.com/a-h/templ"

	"hearthline/views/viewtest"
)

func TestScreens_MeetPageRules(t *testing.T) {
	screens := map[string]templ.Component{
		"sheet": Gallery(View{Page: viewtest.Page("Parts"), Chips: Chips(), Rows: Rows()}),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckPlaceholderIcon(t, screens)
}
