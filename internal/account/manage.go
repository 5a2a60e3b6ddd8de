package account

import (
	"context"
	"crypto/rand"
	"fmt"
	netmail "net/mail"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/mail"
	"hearthline/internal/store"
)

// Add creates an account. user contains the account's data without an id; the result has the new id.
func (s *Service) Add(ctx context.Context, user access.User, password string) (access.User, error) {
	user.Email = typedEmail(user.Email)
	user, err := s.withDirectoryEntry(ctx, user)
	if err != nil {
		return access.User{}, err
	}
	if err := checkPerson(user); err != nil {
		return access.User{}, err
	}
	if err := CheckPassword(password, personalWords(user)...); err != nil {
		return access.User{}, err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return access.User{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return access.User{}, fault.Wrap(fault.Internal, "", err)
	}
	user.UserID = id.String()
	if err := s.store.AddUser(ctx, user, hash); err != nil {
		return access.User{}, fmt.Errorf("account: add user: %w", err)
	}
	return user, nil
}

// withDirectoryEntry looks up a manager or originator by email in the lender's directory, as the portal last read it,
// if the operator named neither an originator nor a company. The directory entry then sets both.
func (s *Service) withDirectoryEntry(ctx context.Context, user access.User) (access.User, error) {
	named := user.OriginatorUUID + user.BrokerID + user.Organization
	if named != "" || user.Role != access.Originator && user.Role != access.Manager {
		return user, nil
	}
	o, err := originatorFor(ctx, s.store.Queries, user.Email)
	if err == nil && o != nil {
		user.OriginatorUUID, user.BrokerID, user.BrokerName, user.Organization = string(o.UUID), o.BrokerID, o.BrokerName,
			o.Organization
	}
	return user, err
}

// Disable closes an account from the command line; one that is closed stays closed.
func (s *Service) Disable(ctx context.Context, email string) error {
	user, err := s.Find(ctx, email)
	if err != nil {
		return err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error { return s.Close(ctx, tx, access.Operator().Actor, user.UserID) })
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	return err
}

// SignOut ends a user's sessions and everything they have in progress, and returns the number of sessions.
// The account stays open.
func (s *Service) SignOut(ctx context.Context, by access.By, email string) (places int64, err error) {
	user, err := s.Find(ctx, email)
	if err != nil {
		return 0, err
	}
	err = s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		places, err = tx.SignOut(ctx, by.Actor, user.UserID)
		return err
	})
	return places, err
}

// SignOutAll does the same for all users.
func (s *Service) SignOutAll(ctx context.Context, by access.By) (places int64, err error) {
	err = s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		everybody, err := tx.Users(ctx)
		if err != nil {
			return err
		}
		places = 0
		for _, user := range everybody {
			if user.Disabled {
				continue
			}
			n, err := tx.SignOut(ctx, by.Actor, user.UserID)
			if places += n; err != nil {
				return err
			}
		}
		return nil
	})
	return places, err
}

// SetRole gives a user another role. The role of originator requires an originator at the lender, because
// without one the user would see no leads.
func (s *Service) SetRole(ctx context.Context, email string, role access.Role) error {
	user, err := s.Find(ctx, email)
	if err != nil {
		return err
	}
	user.Role = role
	if err := checkPerson(user); err != nil {
		return err
	}
	return s.store.SetUserRole(ctx, user.UserID, role)
}

// NewPassword returns a random initial password: 130 bits in groups of five characters.
func NewPassword() string {
	text := strings.ToLower(rand.Text())
	var groups []string
	for len(text) > 0 {
		n := min(5, len(text))
		groups, text = append(groups, text[:n]), text[n:]
	}
	return strings.Join(groups, "-")
}

// Find returns the account of an email, including closed accounts; fault.NotFound when there is none.
func (s *Service) Find(ctx context.Context, email string) (access.User, error) {
	user, _, err := s.store.UserByEmail(ctx, typedEmail(email))
	if fault.Is(err, fault.NotFound) {
		return access.User{}, fault.Wrap(fault.NotFound, "No account has this email.", err)
	}
	return user, err
}

func checkPerson(user access.User) error {
	fields := NameAndEmailErrors(user.Name, user.Email)
	if _, ok := access.ParseRole(string(user.Role)); !ok {
		fields = append(fields, fault.Field{Name: "role",
			Message: "Use one of these roles: originator, assistant, manager, admin."})
	}
	if user.Role == access.Originator && user.OriginatorUUID == "" {
		fields = append(fields, fault.Field{Name: "originator",
			Message: "An originator needs their originator UUID at the lender."})
	}
	if (user.Role == access.Manager || user.Role == access.Assistant) && user.OriginatorUUID == "" &&
		user.BrokerID == "" && user.Organization == "" {
		fields = append(fields, fault.Field{Name: "broker", Message: "A manager or assistant belongs to a broker company, " +
			"or to an organization without one: they see its leads and no others."})
	}
	if len(fields) > 0 {
		return fault.InvalidFields(fields...)
	}
	return nil
}

// NameAndEmailErrors returns what is wrong with the name and the email of a new user, in the order of a form.
func NameAndEmailErrors(name, email string) []fault.Field {
	var fields []fault.Field
	if wrong := nameProblem(name); wrong != "" {
		fields = append(fields, fault.Field{Name: "name", Message: wrong})
	}
	if !plausibleEmail(typedEmail(email)) {
		fields = append(fields, fault.Field{Name: "email", Message: "Enter an email such as name@example.com"})
	}
	return fields
}

// plausibleEmail reports whether a folded email has a valid form.
func plausibleEmail(email string) bool {
	a, err := netmail.ParseAddress(email)
	return err == nil && a.Address == email && len(email) <= maxEmail
}

// personalWords lists the words that this user's password must not be based on.
func personalWords(user access.User) []string {
	return []string{user.Email, user.Name, user.OriginatorName, user.BrokerName, user.Organization, user.NMLS}
}

// maxName bounds a user's name, in characters. Emails from the portal contain the name in their greeting, so
// it must be too short for a message from somebody else.
const maxName = 100

// linkLike finds what a mail program would turn into a link: a dot between letters, or characters that appear
// in addresses but not in names.
var linkLike = regexp.MustCompile(`[/\\:@<>]|\pL\.\pL{2}`)

func isSpace(r rune) bool { return r == ' ' }

// nameProblem returns why a text cannot be a user's name; empty when it can.
func nameProblem(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "Enter the person’s name"
	case utf8.RuneCountInString(name) > maxName:
		return "Use at most 100 characters"
	case !utf8.ValidString(name) || mail.OneLine(name) != strings.Join(strings.FieldsFunc(name, isSpace), " ") ||
		linkLike.MatchString(name):
		return "Enter only the name, on one line, without web addresses. Put a space after a period"
	default:
		return ""
	}
}
