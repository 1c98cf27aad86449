// Package headroom is a client of Headroom: it signs each call, repeats it safely, and holds a limit
// around a payment. Copy this file into your service. Go 1.21 or newer, standard library only.
package headroom

import (
	"bytes"
	"context"
	"crypto/hmac"
	cryptorand "crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const firstPause, pauseMax, doublingsMax = 200 * time.Millisecond, 5 * time.Second, 10
const answerBytesMax = 8_000_000 // a Lambda function answers 6 MB at most

// An order that was paid before, by its state.
var paidBefore = map[string]string{
	"confirmed": "confirmed-before", "partlyRefunded": "partlyRefunded", "refunded": "refunded",
}

// Error is a call without an answer. Code is the code of Headroom's problem (docs/problems.md),
// NO_ANSWER if nothing answered, or UNEXPECTED_ANSWER if something else than Headroom answered. After a
// Retryable error it is unknown whether the call took effect: send the same call again, which is safe.
type Error struct {
	Code, Message string
	Retryable     bool
	retryAfter    time.Duration
}

func (e *Error) Error() string { return e.Message + " (" + e.Code + ")" }

// ErrOutcomeUnknown is for your payment to return, wrapped, if you do not know how it ended.
var ErrOutcomeUnknown = errors.New("the outcome of the payment is unknown")

// Order is what Check takes; docs/calls.md has more fields. Amount is in minor units.
type Order struct {
	OrderID    string            `json:"orderId"`
	Type       string            `json:"type,omitempty"`
	Subjects   map[string]string `json:"subjects"`
	Amount     int64             `json:"amount"`
	Currency   string            `json:"currency"`
	Hold       string            `json:"hold,omitempty"`
	Attributes map[string]any    `json:"attributes,omitempty"`
	Proofs     []string          `json:"proofs,omitempty"`
}

// Check is the answer to an order. A refusal is an answer.
type Check struct {
	Decision    string   `json:"decision"`
	State       string   `json:"state"`
	Repeated    *bool    `json:"repeated"`
	Undecided   bool     `json:"undecided"`
	Reservation string   `json:"reservation"`
	RefusedBy   []string `json:"refusedBy"`
	// Reason is why it is refused. With "challenge" it passes with the proofs in Challenges.
	Reason     string   `json:"reason"`
	Challenges []string `json:"challenges"`
	// LimitReachedBy has the rules of which this order took the last.
	LimitReachedBy []string `json:"limitReachedBy"`
	// Headroom is nil where Headroom did not decide.
	Headroom *Headroom `json:"headroom"`
}

// Headroom is the largest amount that would pass, nil without a bound, and when this order would pass,
// nil for never. Each has the rules that it comes from.
type Headroom struct {
	Amount     *int64   `json:"amount"`
	AmountBy   []string `json:"amountBy"`
	EarliestAt *string  `json:"earliestAt"`
	EarliestBy []string `json:"earliestBy"`
}

// Place says where an order is held, for Confirm and Rollback: by its reservation or its subjects.
type Place struct {
	OrderID     string            `json:"orderId"`
	Reservation string            `json:"reservation,omitempty"`
	Subjects    map[string]string `json:"subjects,omitempty"`
	Amount      *int64            `json:"amount,omitempty"`
	Reason      string            `json:"reason,omitempty"`
	ReasonCode  string            `json:"reasonCode,omitempty"`
}

// Settled is the answer to a confirm, a rollback and a status.
type Settled struct {
	State    string `json:"state"`
	Repeated *bool  `json:"repeated"`
	History  []any  `json:"history"`
}

// Client calls a deployment as one application. Safe for several goroutines.
type Client struct {
	URL, AppID, Secret string        // URL is everything before /v1
	Deadline           time.Duration // of a whole call with its repeats; 30 s if zero
	Attempt            time.Duration // of one attempt; 10 s if zero
}

// Check asks whether an order may happen, and holds its share.
func (c *Client) Check(ctx context.Context, order Order) (answer Check, err error) {
	err = c.call(ctx, "POST", "/v1/check", order, &answer, func() bool {
		return (answer.Decision == "allowed" || answer.Decision == "refused") && answer.Repeated != nil
	})
	return answer, err
}

// Confirm tells Headroom that the order was paid.
func (c *Client) Confirm(ctx context.Context, place Place) (Settled, error) {
	return c.settle(ctx, "/v1/confirm", place, func(state string) bool { return paidBefore[state] != "" })
}

// Rollback tells Headroom that the order was not paid. This is final.
func (c *Client) Rollback(ctx context.Context, place Place) (Settled, error) {
	return c.settle(ctx, "/v1/rollback", place, func(state string) bool { return state == "rolledBack" })
}

func (c *Client) settle(ctx context.Context, target string, place Place, knows func(state string) bool) (answer Settled, err error) {
	err = c.call(ctx, "POST", target, place, &answer, func() bool {
		return knows(answer.State) && answer.Repeated != nil
	})
	return answer, err
}

// Status asks what became of an order.
func (c *Client) Status(ctx context.Context, orderID string) (answer Settled, err error) {
	err = c.call(ctx, "GET", StatusTarget(orderID), nil, &answer, func() bool {
		return answer.State != "" && answer.History != nil
	})
	return answer, err
}

// Result is what became of an order; see README.md for the seven outcomes.
type Result struct {
	Outcome string
	Check   Check
	Request *Place // for Confirm or Rollback, to be sent later
	Err     error
}

// WithHold checks an order, runs pay, and confirms; it rolls back if pay returns an error, which it
// returns. pay may run twice for one order, for example if a process died: give the bank the order's id
// as its idempotency key. If ctx ends while pay runs and pay returns an error, the hold is left.
func (c *Client) WithHold(ctx context.Context, order Order, pay func(context.Context, Check) error) (Result, error) {
	check, err := c.knownCheck(ctx, order)
	switch {
	case err != nil:
		return Result{}, err
	case check.Decision == "refused":
		return Result{Outcome: "refused", Check: check}, nil
	case paidBefore[check.State] != "":
		return Result{Outcome: paidBefore[check.State], Check: check}, nil
	}
	place := placeOf(order, check)
	err = pay(ctx, check)
	if errors.Is(err, ErrOutcomeUnknown) || err != nil && ctx.Err() != nil {
		return Result{Outcome: "unknown", Check: check, Request: &place, Err: err}, nil
	}
	settling := context.WithoutCancel(ctx) // the payment has ended, whatever the caller waits for
	if err != nil {
		failure := place
		var coded interface{ ReasonCode() string } // by which rules count failures
		if errors.As(err, &coded) {
			failure.ReasonCode = coded.ReasonCode()
		}
		if _, failed := c.Rollback(settling, failure); failed != nil {
			log.Printf("rollback of %s failed, its hold will expire: %v", order.OrderID, failed)
		}
		return Result{}, err
	}
	if check.Undecided { // the payment has to be held before it can be confirmed
		var again Check
		if again, err = c.knownCheck(settling, order); err == nil {
			check, place = again, placeOf(order, again)
			if check.Decision == "refused" || check.Undecided {
				err = &Error{Code: "NOT_HELD", Message: "paid, but the check did not hold it"}
			}
		}
	}
	var settled Settled
	if err == nil {
		settled, err = c.Confirm(settling, place)
	}
	if err != nil {
		return Result{Outcome: "unconfirmed", Check: check, Request: &place, Err: err}, nil
	}
	return Result{Outcome: settled.State, Check: check}, nil // it may have been refunded meanwhile
}

// knownCheck takes only an answer that this client knows: no other may start a payment.
func (c *Client) knownCheck(ctx context.Context, order Order) (Check, error) {
	check, err := c.Check(ctx, order)
	isHeld := check.State == "held" && check.Reservation != ""
	isUndecided := check.State == "none" && check.Undecided
	if err != nil || check.Decision == "refused" || isHeld || isUndecided || paidBefore[check.State] != "" {
		return check, err
	}
	message := fmt.Sprintf("the check is answered with state %q and reservation %q, expected a hold", check.State, check.Reservation)
	return check, &Error{Code: "UNEXPECTED_ANSWER", Message: message}
}

func placeOf(order Order, check Check) Place {
	if check.Reservation != "" {
		return Place{OrderID: order.OrderID, Reservation: check.Reservation}
	}
	return Place{OrderID: order.OrderID, Subjects: order.Subjects}
}

// call sends the same bytes until they are answered, or until the deadline.
func (c *Client) call(ctx context.Context, method, target string, request, answer any, isAnswer func() bool) error {
	var body []byte
	if request != nil {
		var err error
		if body, err = json.Marshal(request); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, orElse(c.Deadline, 30*time.Second))
	defer cancel()
	endsAt, _ := ctx.Deadline()
	for attempts := 0; ; attempts++ {
		err := c.send(ctx, method, target, body, answer, isAnswer)
		var failed *Error
		if !errors.As(err, &failed) || !failed.Retryable || ctx.Err() != nil {
			return err
		}
		// A random pause: callers that failed together do not come back together.
		most := min(pauseMax, firstPause<<min(attempts, doublingsMax))
		pause := failed.retryAfter + time.Duration(rand.Int63n(int64(most)))
		if time.Now().Add(pause).After(endsAt) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// What is signed is for one address: a redirect is not followed.
var sender = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (c *Client) send(ctx context.Context, method, target string, body []byte, answer any, isAnswer func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, orElse(c.Attempt, 10*time.Second))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(c.URL, "/")+target, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	// Headroom may take each signature once, so the nonce of a repeat differs.
	nonce := make([]byte, 16)
	if _, err := cryptorand.Read(nonce); err != nil {
		return err
	}
	call := Signed{c.AppID, c.Secret, time.Now().Unix(), hex.EncodeToString(nonce), method, target, nil, body}
	for name, value := range call.Headers() {
		request.Header.Set(name, value)
	}
	response, err := sender.Do(request)
	if err != nil {
		return &Error{Code: "NO_ANSWER", Message: "no answer: " + err.Error(), Retryable: true}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, answerBytesMax))
	if err != nil {
		return &Error{Code: "NO_ANSWER", Message: "half an answer: " + err.Error(), Retryable: true}
	}
	// isAnswer tells Headroom's answer from a page for signing in, which is 200, too.
	if response.StatusCode == 200 && json.Unmarshal(text, answer) == nil && isAnswer() {
		return nil
	}
	failed := &Error{Code: "UNEXPECTED_ANSWER", Retryable: response.StatusCode == 429 || response.StatusCode >= 500}
	failed.Message = fmt.Sprintf("HTTP %d with %.200q, expected an answer of Headroom", response.StatusCode, text)
	var problem struct{ Code, Detail string }
	if json.Unmarshal(text, &problem) == nil && problem.Code != "" && problem.Detail != "" {
		failed.Code, failed.Message = problem.Code, problem.Detail
	}
	failed.retryAfter = pauseIn(response.Header.Get("Retry-After"))
	return failed
}

// pauseIn reads Retry-After: seconds, or an instant (RFC 9110, 10.2.3).
func pauseIn(after string) time.Duration {
	seconds, err := strconv.ParseUint(after, 10, 31)
	if err == nil || errors.Is(err, strconv.ErrRange) { // out of range it is the largest
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(after); err == nil {
		return min(max(0, time.Until(at)), 1<<31*time.Second) // a longer one would overflow
	}
	return 0
}

// Signed is a call that is signed. Deciding has the headers that decide, each as its name in small
// letters and its value, in the order in which they are signed.
type Signed struct {
	AppID, Secret         string
	Created               int64
	Nonce, Method, Target string
	Deciding              [][2]string
	Body                  []byte
}

// Headers are the headers of the signature (RFC 9421).
func (s Signed) Headers() map[string]string {
	path, query, hasQuery := strings.Cut(s.Target, "?")
	headers, parts := map[string]string{}, [][2]string{{"@method", s.Method}, {"@path", path}}
	if hasQuery {
		parts = append(parts, [2]string{"@query", "?" + query})
	}
	if len(s.Body) > 0 {
		hash := sha256.Sum256(s.Body)
		headers["Content-Digest"] = "sha-256=:" + base64.StdEncoding.EncodeToString(hash[:]) + ":"
		parts = append(parts, [2]string{"content-digest", headers["Content-Digest"]})
	}
	var names, lines []string
	for _, part := range append(parts, s.Deciding...) {
		names = append(names, `"`+part[0]+`"`)
		lines = append(lines, `"`+part[0]+`": `+part[1])
	}
	input := fmt.Sprintf(`(%s);created=%d;keyid="%s";nonce="%s"`, strings.Join(names, " "), s.Created, s.AppID, s.Nonce)
	mac := hmac.New(sha256.New, []byte(s.Secret))
	mac.Write([]byte(strings.Join(append(lines, `"@signature-params": `+input), "\n")))
	headers["Signature-Input"] = "hr=" + input
	headers["Signature"] = "hr=:" + base64.StdEncoding.EncodeToString(mac.Sum(nil)) + ":"
	return headers
}

// As JavaScript's encodeURIComponent encodes a path, beside what url.QueryEscape does.
var likeJavaScript = strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")

// StatusTarget is the path of an order, encoded as Headroom signs it.
func StatusTarget(orderID string) string {
	return "/v1/transactions/" + likeJavaScript.Replace(url.QueryEscape(orderID))
}

func orElse(given, otherwise time.Duration) time.Duration {
	if given == 0 {
		return otherwise
	}
	return given
}
