// Pay makes one payment at a pretended bank, and prints what became of the order.
//
//	HEADROOM_URL=http://127.0.0.1:3000 HEADROOM_APP_ID=sample HEADROOM_SECRET=hrs_… \
//	  go run ./cmd/pay ORDER_ID AMOUNT [pays | declines | times-out]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	headroom "headroom.example/client"
)

var errDeclined = errors.New("the bank declined")

func main() {
	orderID, bank := os.Args[1], "pays"
	if len(os.Args) > 3 {
		bank = os.Args[3]
	}
	amount, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	client := headroom.Client{
		URL:    os.Getenv("HEADROOM_URL"),
		AppID:  os.Getenv("HEADROOM_APP_ID"),
		Secret: os.Getenv("HEADROOM_SECRET"),
	}
	if seconds, err := strconv.Atoi(os.Getenv("HEADROOM_DEADLINE_SECONDS")); err == nil {
		client.Deadline = time.Duration(seconds) * time.Second
	}
	order := headroom.Order{
		OrderID:  orderID,
		Type:     "PAYMENT",
		Subjects: map[string]string{"user": "user of " + orderID},
		Amount:   amount,
		Currency: "CNY",
	}
	paid := 0
	ctx := context.Background()
	result, err := client.WithHold(ctx, order, func(context.Context, headroom.Check) error {
		// Here your service asks the bank, with the order's id as the idempotency key.
		switch bank {
		case "declines":
			return errDeclined
		case "times-out":
			return fmt.Errorf("the bank timed out: %w", headroom.ErrOutcomeUnknown)
		}
		paid++
		return nil
	})
	report := map[string]any{"outcome": result.Outcome, "refusedBy": result.Check.RefusedBy, "request": result.Request, "paid": paid}
	var failed *headroom.Error
	switch {
	case errors.Is(err, errDeclined):
		report["outcome"] = "declined"
	case err != nil:
		log.Fatal(err)
	case errors.As(result.Err, &failed):
		report["code"] = failed.Code
	}
	if report["outcome"] != "refused" {
		status, err := client.Status(ctx, orderID)
		if err != nil {
			log.Fatal(err)
		}
		report["state"] = status.State
	}
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		log.Fatal(err)
	}
}
