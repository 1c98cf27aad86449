package headroom

import (
	"encoding/json"
	"os"
	"testing"
)

// Compares signatures and paths with those that Headroom expects.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Signatures []struct {
			Why, AppID, Secret, Nonce, Method, Target, Body string
			Created                                         int64
			Headers                                         map[string]string
			ContentDigest, SignatureInput, Signature        string
		}
		Targets []struct{ OrderID, Target string }
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Signatures) == 0 || len(vectors.Targets) == 0 {
		t.Fatal("vectors.json is empty, expected signatures and targets")
	}
	for _, each := range vectors.Signatures {
		var deciding [][2]string
		for _, name := range []string{"x-actor", "if-match", "if-none-match"} {
			if value, isSent := each.Headers[name]; isSent {
				deciding = append(deciding, [2]string{name, value})
			}
		}
		call := Signed{each.AppID, each.Secret, each.Created, each.Nonce, each.Method, each.Target, deciding, []byte(each.Body)}
		found := call.Headers()
		expected := map[string]string{
			"Content-Digest": each.ContentDigest, "Signature-Input": each.SignatureInput, "Signature": each.Signature,
		}
		for name, value := range expected {
			if found[name] != value {
				t.Errorf("%s: %s is %s, expected %s", each.Why, name, found[name], value)
			}
		}
	}
	for _, each := range vectors.Targets {
		if target := StatusTarget(each.OrderID); target != each.Target {
			t.Errorf("%q: %s, expected %s", each.OrderID, target, each.Target)
		}
	}
}
