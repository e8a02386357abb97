package fidelity

import (
	"encoding/json"
	"testing"
)

// As encoding/json's own BenchmarkCodeUnmarshal and BenchmarkCodeMarshal do it.

type page struct {
	Count  uint64  `json:"count"`
	Next   *string `json:"next"`
	Orders []struct {
		Billing  address `json:"billing"`
		Created  string  `json:"created"`
		Currency string  `json:"currency"`
		Customer struct {
			Email string  `json:"email"`
			ID    uint64  `json:"id"`
			Name  string  `json:"name"`
			Phone *string `json:"phone"`
			Since string  `json:"since"`
		} `json:"customer"`
		Discount *float64 `json:"discount"`
		ID       string   `json:"id"`
		Lines    []struct {
			Description string  `json:"description"`
			Gift        bool    `json:"gift"`
			Price       float64 `json:"price"`
			Quantity    uint32  `json:"quantity"`
			SKU         string  `json:"sku"`
			Tax         float64 `json:"tax"`
			Weight      float64 `json:"weight"`
		} `json:"lines"`
		Notes    string   `json:"notes"`
		Number   uint64   `json:"number"`
		Paid     bool     `json:"paid"`
		Shipping address  `json:"shipping"`
		Status   string   `json:"status"`
		Tags     []string `json:"tags"`
		Total    float64  `json:"total"`
	} `json:"orders"`
}

type address struct {
	City      string  `json:"city"`
	Country   string  `json:"country"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Postcode  string  `json:"postcode"`
	Street    string  `json:"street"`
}

func BenchmarkJSONParse(b *testing.B) {
	text := input(b, "orders.json")
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for range b.N {
		var tree any
		if err := json.Unmarshal(text, &tree); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJSONDecode(b *testing.B) {
	text := input(b, "orders.json")
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for range b.N {
		var decoded page
		if err := json.Unmarshal(text, &decoded); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJSONEncode(b *testing.B) {
	text := input(b, "orders.json")
	var decoded page
	if err := json.Unmarshal(text, &decoded); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for range b.N {
		if _, err := json.Marshal(&decoded); err != nil {
			b.Fatal(err)
		}
	}
}
