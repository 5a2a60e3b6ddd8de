package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

func crm(t *testing.T, s *store.Store, key string) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.AddEmbedClient(ctx, store.EmbedClient{Key: key, Name: "CRM " + key, BrokerID: "B1", Kind: "jwt",
			Origins: "https://crm.example", Sealed: []byte("s"), CreatedAt: 1, ChangedAt: 1})
	})
}

func launchOf(id, key, replay string) store.Launch {
	return store.Launch{ID: id, Client: key, ReplayKey: replay, Subject: "mark", Origin: "https://crm.example",
		Sealed: []byte("sealed"), CreatedAt: store.Millis(noon()), ExpiresAt: store.Millis(noon().Add(time.Hour))}
}

func embedClients(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	got := must(s.EmbedClient(t.Context(), "acme"))(t)
	got.Name, got.AttestedBy, got.AttestedAt, got.DisabledAt = "Acme", "Quinn", 5, 6
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.ChangeEmbedClient(ctx, got) })
	if all := must(s.EmbedClients(t.Context()))(t); len(all) != 1 || all[0].Name != "Acme" || all[0].AttestedAt != 5 ||
		all[0].DisabledAt != 6 || all[0].CreatedAt != 1 {
		t.Errorf("got %+v", all)
	}
	_, err := s.EmbedClient(t.Context(), "other")
	wantKind(t, err, fault.NotFound)
	// A key is taken once: adding another client with it changes nothing.
	again := got
	again.Name, again.BrokerID = "Another", "B2"
	wantKind(t, s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddEmbedClient(t.Context(), again) }),
		fault.Conflict)
	if unchanged := must(s.EmbedClient(t.Context(), "acme"))(t); unchanged.Name != "Acme" || unchanged.BrokerID != "B1" {
		t.Errorf("added again: got %+v, want acme unchanged", unchanged)
	}
}

func launchesOnce(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	crm(t, s, "other")
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddLaunch(ctx, launchOf("l1", "acme", "r1")) })
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddLaunch(t.Context(), launchOf("l2", "other", "r1"))
	})
	wantKind(t, err, fault.Conflict)
	if got := must(s.Launch(t.Context(), "acme", "l1"))(t); string(got.Sealed) != "sealed" ||
		got.Origin != "https://crm.example" {
		t.Errorf("got %+v", got)
	}
	_, err = s.Launch(t.Context(), "other", "l1")
	wantKind(t, err, fault.NotFound)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if ours, err := tx.ClaimLaunch(ctx, "l1", "olivia"); err != nil || !ours {
			t.Errorf("the first user: got %v, %v", ours, err)
		}
		if ours, err := tx.ClaimLaunch(ctx, "l1", "marcus"); err != nil || ours {
			t.Errorf("another user: got %v, %v", ours, err)
		}
		return tx.DropLaunches(ctx, noon().Add(2*time.Hour))
	})
	_, err = s.Launch(t.Context(), "acme", "l1")
	wantKind(t, err, fault.NotFound)
}

func launchCodesOnce(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	code := store.LaunchCode{Hash: "h1", LaunchID: "l1", Purpose: "press",
		ExpiresAt: store.Millis(noon().Add(time.Minute))}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddLaunch(ctx, launchOf("l1", "acme", "r1")); err != nil {
			return err
		}
		return tx.AddLaunchCode(ctx, code)
	})
	if got := must(s.LaunchOfCode(t.Context(), code, noon()))(t); got.ID != "l1" {
		t.Errorf("got %q, want l1", got.ID)
	}
	other := code
	other.Purpose = "tab"
	for _, try := range []struct {
		what string
		code store.LaunchCode
		at   time.Time
		want bool
	}{
		{"for another step", other, noon(), false}, {"too late", code, noon().Add(time.Minute), false},
		{"in time", code, noon(), true}, {"again", code, noon(), false},
	} {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if got, err := tx.ConsumeLaunchCode(ctx, try.code, try.at); err != nil || got != try.want {
				t.Errorf("%s: got %v, %v, want %v", try.what, got, err, try.want)
			}
			return nil
		})
	}
	_, err := s.LaunchOfCode(t.Context(), code, noon())
	wantKind(t, err, fault.NotFound)
}

func embedLinks(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	link := store.EmbedLink{Client: "acme", Subject: "mark", UserID: "olivia", LinkedAt: 1}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddEmbedLink(ctx, link) })
	stolen := link
	stolen.UserID = "marcus"
	wantKind(t, s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddEmbedLink(t.Context(), stolen) }),
		fault.Conflict)
	if got := must(s.EmbedLink(t.Context(), "acme", "mark"))(t); got.UserID != "olivia" {
		t.Errorf("got %q, want olivia", got.UserID)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		used := link
		used.UsedAt, used.Sealed = 7, []byte("named")
		if err := tx.UseEmbedLink(ctx, used); err != nil {
			return err
		}
		all, err := tx.EmbedLinksOf(ctx, "olivia")
		if len(all) != 1 || all[0].UsedAt != 7 || string(all[0].Sealed) != "named" || all[0].LinkedAt != 1 {
			t.Errorf("olivia's: got %+v", all)
		}
		return err
	})
	crm(t, s, "other")
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		second := link
		second.Subject = "mark too"
		return cmp.Or(tx.AddEmbedLink(ctx, second),
			tx.AddEmbedLink(ctx, store.EmbedLink{Client: "other", Subject: "m", UserID: "marcus"}))
	})
	if got := must(s.UsersLinkedTo(t.Context(), "acme"))(t); !slices.Equal(got, []string{"olivia"}) {
		t.Errorf("got %q, want olivia once", got)
	}
	if err := s.DisableUser(t.Context(), "marcus"); err != nil {
		t.Fatal(err)
	}
	if got := must(s.UsersLinkedTo(t.Context(), "other"))(t); len(got) != 0 {
		t.Errorf("got %q, want no disabled user", got)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.DropEmbedLink(ctx, "olivia", "acme", "mark too")
		return err
	})
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, try := range []struct {
			who, key string
			want     bool
		}{{"marcus", "acme", false}, {"olivia", "other", false}, {"olivia", "acme", true}, {"olivia", "acme", false}} {
			if had, err := tx.DropEmbedLink(ctx, try.who, try.key, "mark"); err != nil || had != try.want {
				t.Errorf("%s at %s: got %v, %v, want %v", try.who, try.key, had, err, try.want)
			}
		}
		if err := tx.AddEmbedLink(ctx, link); err != nil {
			return err
		}
		return tx.DropEmbedLinks(ctx, "olivia")
	})
	_, err := s.EmbedLink(t.Context(), "acme", "mark")
	wantKind(t, err, fault.NotFound)
}

// launchesEnd ends launches in every possible way, and checks that their codes are no longer valid.
func launchesEnd(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	crm(t, s, "acme")
	link := store.EmbedLink{Client: "acme", Subject: "mark", UserID: "olivia", LinkedAt: 1}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.AddEmbedLink(ctx, link) })
	for name, end := range map[string]func(ctx context.Context, tx *store.Tx) error{
		"of the client": func(ctx context.Context, tx *store.Tx) error { return tx.EndLaunchesOfClient(ctx, "acme") },
		"of the user":   func(ctx context.Context, tx *store.Tx) error { return tx.EndLaunchesOf(ctx, "olivia") },
		"of the CRM login": func(ctx context.Context, tx *store.Tx) error {
			return tx.EndLaunchesOfSubject(ctx, "acme", "mark")
		},
		"with sessions": func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.EndSessionsOf(ctx, "olivia", "kept")
			return err
		},
	} {
		code := store.LaunchCode{Hash: "h " + name, LaunchID: "l " + name, Purpose: "press",
			ExpiresAt: store.Millis(noon().Add(time.Minute))}
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.AddLaunch(ctx, launchOf(code.LaunchID, "acme", "r "+name)); err != nil {
				return err
			}
			if err := tx.AddLaunchCode(ctx, code); err != nil {
				return err
			}
			return end(ctx, tx)
		})
		if got := must(s.Launch(t.Context(), "acme", code.LaunchID))(t); got.EndedAt == 0 {
			t.Errorf("%s: it has not ended", name)
		}
		_, err := s.LaunchOfCode(t.Context(), code, noon())
		wantKind(t, err, fault.NotFound)
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if got, err := tx.ConsumeLaunchCode(ctx, code, noon()); err != nil || got {
				t.Errorf("%s: its code was used up: %v, %v", name, got, err)
			}
			return nil
		})
	}
}

// launchCodesDropForUser deletes the codes of one user's launches, and no other user's.
func launchCodesDropForUser(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	code := func(who string) store.LaunchCode {
		return store.LaunchCode{Hash: "h-" + who, LaunchID: "l-" + who, Purpose: "tab",
			ExpiresAt: store.Millis(noon().Add(time.Minute))}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, who := range []string{"olivia", "marcus"} {
			if err := tx.AddLaunch(ctx, launchOf("l-"+who, "acme", "r-"+who)); err != nil {
				return err
			}
			if _, err := tx.ClaimLaunch(ctx, "l-"+who, who); err != nil {
				return err
			}
			if err := tx.AddLaunchCode(ctx, code(who)); err != nil {
				return err
			}
		}
		if err := tx.DropLaunchCodes(ctx, "olivia", "other"); err != nil {
			return err
		}
		if _, err := tx.LaunchOfCode(ctx, code("olivia"), noon()); err != nil {
			t.Errorf("another client's codes were deleted too: %v", err)
		}
		return tx.DropLaunchCodes(ctx, "olivia", "acme")
	})
	_, err := s.LaunchOfCode(t.Context(), code("olivia"), noon())
	wantKind(t, err, fault.NotFound)
	if _, err := s.LaunchOfCode(t.Context(), code("marcus"), noon()); err != nil {
		t.Errorf("a colleague's codes were deleted too: %v", err)
	}
}

// consumedLaunches are remembered until the secret that signed them is no longer valid.
func consumedLaunches(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	spend := func(key, secret string) error {
		return s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddLaunch(t.Context(), store.Launch{ID: key + secret, Client: "acme", ReplayKey: key,
				Sealed: []byte("sealed"), ExpiresAt: 1, Secret: secret})
		})
	}
	for _, key := range []string{"r1", "r2"} {
		if err := spend(key, "secret "+key); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.DropLaunches(ctx, noon().Add(1000*24*time.Hour))
	})
	wantKind(t, spend("r1", "secret r1"), fault.Conflict)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.DropConsumedLaunches(ctx, "acme", "secret r1")
	})
	wantKind(t, spend("r2", "secret r2"), fault.Conflict)
	if err := spend("r1", "secret r3"); err != nil {
		t.Errorf("a deleted replay key is still rejected: %v", err)
	}
}

func clientSessionsEnd(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	session := access.Session{UserID: "olivia", Created: noon(), LastSeen: noon(), Expires: noon().Add(time.Hour),
		Level: 1, ElevatedAt: noon(), Proof: access.ByLaunch}
	for hash, client := range map[string]string{"own": "", "framed": "acme"} {
		one := session
		one.IDHash, one.Client = hash, client
		if err := s.AddSession(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	if got, _, err := s.Session(t.Context(), "framed"); err != nil || got.Client != "acme" {
		t.Errorf("got %+v, %v", got, err)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.EndSessionsOfClient(ctx, "acme") })
	_, _, err := s.Session(t.Context(), "framed")
	wantKind(t, err, fault.NotFound)
	if _, _, err := s.Session(t.Context(), "own"); err != nil {
		t.Errorf("the portal's own session ended too: %v", err)
	}
}

// records belong to one client, and their links are deleted with it; a correction copies its lead's links.
func records(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("marcus", access.Originator))
	add(t, s, leadOf(1, "olivia", "B1"), leadOf(2, "olivia", "B1"))
	draft := draftOf("d1", "olivia")
	draft.RecordIndex, draft.RecordClient, draft.RecordType = "acme 51", "acme", "deal"
	if err := saveDraft(s, draft); err != nil {
		t.Fatal(err)
	}
	other := draft
	other.RecordIndex, other.Sealed = "acme 52", []byte("typed")
	if err := saveDraft(s, other); err != nil {
		t.Fatal(err)
	}
	if got := must(s.DraftOfRecord(t.Context(), "olivia", []string{"acme 51", "older"}))(t); string(got.Sealed) !=
		"typed" || got.RecordClient != "acme" || got.RecordType != "deal" {
		t.Errorf("got %+v, want the draft as it was last saved, with the record that it was begun for", got)
	}
	for _, none := range [][2]string{{"marcus", "acme 51"}, {"olivia", "acme 52"}, {"olivia", ""}} {
		_, err := s.DraftOfRecord(t.Context(), none[0], []string{none[1]})
		wantKind(t, err, fault.NotFound)
	}
	for who, want := range map[string]bool{"olivia": false, "marcus": true} {
		if got := must(s.HasOthersDraft(t.Context(), who, []string{"acme 51"}))(t); got != want {
			t.Errorf("drafts of users other than %s: got %v, want %v", who, got, want)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddReferences(ctx, appID(1), store.References{BlindIndexes: []string{"51"}}); err != nil {
			return err
		}
		if err := tx.LinkRecord(ctx, appID(1), store.RecordIndex{Client: "acme", Type: "deal",
			BlindIndex: "acme 51", KeyID: 1}); err != nil {
			return err
		}
		return tx.CopyRecordLinks(ctx, appID(1), appID(2))
	})
	count := func(index string) int {
		return len(must(s.LeadsOfReference(t.Context(), access.Scope{BrokerID: "B1"}, []string{index}))(t))
	}
	if got, withID := count("acme 51"), count("51"); got != 2 || withID != 1 {
		t.Errorf("got %d leads linked to the record and %d with its id, want 2 and 1", got, withID)
	}
	recordTypes(t, s)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if client, err := tx.UnlinkRecord(ctx, appID(2), "acme 51"); err != nil || client != "acme" {
			t.Errorf("unlinked: got %q, %v, want acme", client, err)
		}
		// a second time, and an id that is only passed along
		for app, index := range map[heloc.AppID]string{appID(2): "acme 51", appID(1): "51"} {
			_, err := tx.UnlinkRecord(ctx, app, index)
			wantKind(t, err, fault.NotFound)
		}
		return nil
	})
	if got, withID := count("acme 51"), count("51"); got != 1 || withID != 1 {
		t.Errorf("after one was unlinked: got %d leads linked to the record and %d with its id, want 1 and 1", got, withID)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.UnlinkClientRecords(ctx, "acme") })
	if there := must(s.HasLinkedRecord(t.Context(), []string{"acme 51"}))(t); there || count("51") != 1 {
		t.Error("the record links were not deleted with their client, or the ids were deleted too")
	}
	_, err := s.DraftOfRecord(t.Context(), "olivia", []string{"acme 51", "older"})
	wantKind(t, err, fault.NotFound)
}

// recordTypes lists each type once per client, with "" for records without a type.
func recordTypes(t *testing.T, s *store.Store) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, r := range []store.RecordIndex{{Client: "acme", Type: "contact", BlindIndex: "c1"},
			{Client: "acme", Type: "contact", BlindIndex: "c2"}, {Client: "acme", BlindIndex: "former"},
			{Client: "other", Type: "lead", BlindIndex: "l1"}} {
			if err := tx.LinkRecord(ctx, appID(1), r); err != nil {
				return err
			}
		}
		return nil
	})
	for client, want := range map[string][]string{"acme": {"", "contact", "deal"}, "other": {"", "lead"}, "none": {""}} {
		if got := must(s.RecordTypes(t.Context(), client))(t); !slices.Equal(got, want) {
			t.Errorf("types of %s: got %q, want %q", client, got, want)
		}
	}
	types := map[string]string{}
	for _, r := range must(s.ReferencesOf(t.Context(), appID(2)))(t) {
		types[r.BlindIndex] = r.Type
	}
	if types["acme 51"] != "deal" {
		t.Errorf("the lead that corrects another: got %v, want it linked to the deal", types)
	}
}

func references(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "olivia", "B1"), leadOf(2, "piotr", "B2"))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddReferences(ctx, appID(1), store.References{KeyID: 1, BlindIndexes: []string{"m", "m"}}); err != nil {
			return err
		}
		return tx.AddReferences(ctx, appID(2), store.References{KeyID: 1, BlindIndexes: []string{"m"}})
	})
	got := must(s.LeadsOfReference(t.Context(), access.Scope{BrokerID: "B1"}, []string{"m"}))(t)
	if len(got) != 1 || got[0].App != appID(1) {
		t.Errorf("got %d leads, want only the company's own", len(got))
	}
}

// sessionLocationsCountedApart opens many unused frames of a client, one frame in use, a tab, and sessions of
// the portal itself.
func sessionLocationsCountedApart(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	begin := func(hash, client string, location access.Location, at time.Time) {
		t.Helper()
		one := access.Session{
			IDHash: hash, UserID: "olivia", Client: client, Location: location, Created: at, LastSeen: at,
			Expires: at.Add(12 * time.Hour), Level: 1, ElevatedAt: at, Proof: access.ByLaunch,
		}
		if err := s.AddSession(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	begin("own", "", "", noon())
	begin("tab", "acme", access.InTab, noon())
	begin("used", "acme", access.InFrame, noon())
	begin("elsewhere", "other", access.InFrame, noon())
	if err := s.TouchSession(t.Context(), "used", noon()); err != nil { // in the millisecond of its creation
		t.Fatal(err)
	}
	for i := range 7 {
		begin(fmt.Sprintf("never used %d", i), "acme", access.InFrame, noon().Add(time.Duration(i+1)*time.Minute))
	}
	for hash, want := range map[string]bool{"own": true, "tab": true, "used": true, "elsewhere": true,
		"never used 0": false, "never used 2": false, "never used 3": true, "never used 6": true} {
		got, _, err := s.Session(t.Context(), hash)
		if (err == nil) != want {
			t.Errorf("%s is valid: got %v, want %v", hash, err == nil, want)
		}
		if hash == "tab" && got.Location != access.InTab {
			t.Errorf("the tab's location: got %q", got.Location)
		}
	}
}

// tabReplacesFrame ends only the one session that was started with a code, and only if it is a frame's.
func tabReplacesFrame(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	crm(t, s, "acme")
	for hash, location := range map[string]access.Location{"frame": access.InFrame, "other frame": access.InFrame,
		"own": ""} {
		one := access.Session{IDHash: hash, UserID: "olivia", Location: location, Created: noon(), LastSeen: noon(),
			Expires: noon().Add(time.Hour), ElevatedAt: noon(), Proof: access.ByLaunch}
		if location != "" {
			one.Client = "acme"
		}
		if err := s.AddSession(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddLaunch(ctx, launchOf("l1", "acme", "r1")); err != nil {
			return err
		}
		for _, beside := range []string{"frame", "own", ""} {
			code := store.LaunchCode{Hash: "h " + beside, LaunchID: "l1", Purpose: "tab", Session: beside,
				ExpiresAt: store.Millis(noon().Add(time.Minute))}
			if err := tx.AddLaunchCode(ctx, code); err != nil {
				return err
			}
			if err := tx.EndFrameSession(ctx, code); err != nil {
				return err
			}
		}
		return nil
	})
	for hash, want := range map[string]bool{"frame": false, "other frame": true, "own": true} {
		if _, _, err := s.Session(t.Context(), hash); (err == nil) != want {
			t.Errorf("%s is valid: got %v, want %v", hash, err == nil, want)
		}
	}
}

func embedRejections(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	crm(t, s, "other")
	note := func(key, endpoint, cause string, at time.Time) {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.SaveEmbedRejection(ctx, store.EmbedRejection{Client: key, Endpoint: endpoint, Cause: cause,
				At: store.Millis(at)})
		})
	}
	note("acme", "launch", "time", noon())
	note("acme", "launch", "signature", noon().Add(time.Minute))
	note("acme", "card", "time", noon().Add(time.Minute))
	note("other", "launch", "time", noon())
	note("acme", "launch", "time", noon().Add(time.Hour))
	causes := func() string {
		text := ""
		for _, r := range must(s.EmbedRejections(t.Context(), "acme"))(t) {
			text += r.Endpoint + " " + r.Cause + ", "
		}
		return text
	}
	if got, want := causes(), "launch time, card time, launch signature, "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	at := store.EmbedRejection{Client: "acme", Endpoint: "launch", Cause: "signature"}
	for ago, want := range map[time.Duration]bool{time.Minute: true, 2 * time.Minute: false} {
		if got := must(s.EmbedRejectedSince(t.Context(), at, noon().Add(ago)))(t); got != want {
			t.Errorf("since %v past noon: got %v, want %v", ago, got, want)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.DropEmbedRejections(ctx, noon().Add(time.Hour))
	})
	if got, want := causes(), "launch time, "; got != want {
		t.Errorf("an hour later: got %q, want %q", got, want)
	}
}
