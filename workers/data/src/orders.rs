//! The document of the JSON rows as types, which are a message of protocol buffers as well: a page of a shop's orders, as an API
//! answers with it. Fields are in the document's order, so that what is encoded is the document again.

use prost::Message;
use serde::{Deserialize, Serialize};

#[derive(Message, Serialize, Deserialize)]
pub struct Page {
    #[prost(uint64, tag = "1")]
    count: u64,
    #[prost(string, optional, tag = "2")]
    next: Option<String>,
    #[prost(message, repeated, tag = "3")]
    orders: Vec<Order>,
}

#[derive(Message, Serialize, Deserialize)]
struct Order {
    #[prost(message, required, tag = "1")]
    billing: Address,
    #[prost(string, tag = "2")]
    created: String,
    #[prost(string, tag = "3")]
    currency: String,
    #[prost(message, required, tag = "4")]
    customer: Customer,
    #[prost(double, optional, tag = "5")]
    discount: Option<f64>,
    #[prost(string, tag = "6")]
    id: String,
    #[prost(message, repeated, tag = "7")]
    lines: Vec<Line>,
    #[prost(string, tag = "8")]
    notes: String,
    #[prost(uint64, tag = "9")]
    number: u64,
    #[prost(bool, tag = "10")]
    paid: bool,
    #[prost(message, required, tag = "11")]
    shipping: Address,
    #[prost(string, tag = "12")]
    status: String,
    #[prost(string, repeated, tag = "13")]
    tags: Vec<String>,
    #[prost(double, tag = "14")]
    total: f64,
}

#[derive(Message, Serialize, Deserialize)]
struct Customer {
    #[prost(string, tag = "1")]
    email: String,
    #[prost(uint64, tag = "2")]
    id: u64,
    #[prost(string, tag = "3")]
    name: String,
    #[prost(string, optional, tag = "4")]
    phone: Option<String>,
    #[prost(string, tag = "5")]
    since: String,
}

#[derive(Message, Serialize, Deserialize)]
struct Address {
    #[prost(string, tag = "1")]
    city: String,
    #[prost(string, tag = "2")]
    country: String,
    #[prost(double, tag = "3")]
    latitude: f64,
    #[prost(double, tag = "4")]
    longitude: f64,
    #[prost(string, tag = "5")]
    postcode: String,
    #[prost(string, tag = "6")]
    street: String,
}

#[derive(Message, Serialize, Deserialize)]
struct Line {
    #[prost(string, tag = "1")]
    description: String,
    #[prost(bool, tag = "2")]
    gift: bool,
    #[prost(double, tag = "3")]
    price: f64,
    #[prost(uint32, tag = "4")]
    quantity: u32,
    #[prost(string, tag = "5")]
    sku: String,
    #[prost(double, tag = "6")]
    tax: f64,
    #[prost(double, tag = "7")]
    weight: f64,
}

/// A page with one order, in canonical form.
#[cfg(test)]
pub const TEST_TEXT: &[u8] = include_bytes!("../order.json");
