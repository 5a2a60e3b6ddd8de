package pipeline

// Add appends a group unless it is empty.
func (v *SearchView) Add(id, title string, hits []Hit) {
	if len(hits) > 0 {
		v.Groups = append(v.Groups, HitGroup{ID: id, Title: title, Hits: hits})
	}
}
