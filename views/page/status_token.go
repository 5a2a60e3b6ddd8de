package page

import "hearthline/views/ui"

// StatusToken identifies the status of a record's lead; it changes when the status does.
func StatusToken(app string, chip ui.ChipView) string { return app + " " + chip.Label }
