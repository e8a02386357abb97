//! AWS's spot prices, as `aws ec2 describe-spot-price-history` prints them: the newest of each zone
//! (<https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeSpotPriceHistory.html>).

use crate::prices::aws::day;
use crate::prices::json::Elements;
use crate::prices::list_file::ListFile;
use crate::prices::price_list::{PriceList, check_count};
use catalog::{Price, SPOT};
use serde::Deserialize;
use serde::de::DeserializeSeed;
use std::collections::HashMap;
use std::io::Read;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SpotPrice {
    availability_zone: String,
    instance_type: String,
    product_description: String,
    spot_price: String,
    timestamp: String,
}

pub(crate) fn read(
    file: impl Read,
    origin: &ListFile,
    prices: &mut PriceList,
) -> Result<(), String> {
    let mut newest: HashMap<(String, String), SpotPrice> = HashMap::new();
    let take = |price: SpotPrice| {
        if price.product_description.starts_with("Linux/UNIX") {
            let key = (price.instance_type.clone(), price.availability_zone.clone());
            // Times of one form: the later one is the greater text.
            if newest.get(&key).is_none_or(|known| known.timestamp < price.timestamp) {
                newest.insert(key, price);
            }
        }
        check_count(newest.len())
    };
    let mut json = serde_json::Deserializer::from_reader(file);
    let list = Elements::new("SpotPriceHistory", "NextToken", take);
    list.deserialize(&mut json).and_then(|_| json.end()).map_err(|e| e.to_string())?;
    newest.into_values().try_for_each(|price| prices.add(price.into_price(origin)?))
}

impl SpotPrice {
    fn into_price(self, origin: &ListFile) -> Result<Price, String> {
        let per_hour = self.spot_price.parse();
        let per_hour =
            per_hour.map_err(|_| format!("a price is {:?}, not a number", self.spot_price))?;
        // us-east-1a is a zone of us-east-1.
        let region = self.availability_zone.trim_end_matches(|c: char| c.is_ascii_lowercase());
        Ok(Price {
            region: Some(region.to_owned()),
            label: self.instance_type,
            per_hour,
            currency: Some("USD".to_owned()),
            commitment: Some(SPOT.to_owned()),
            date: day(&self.timestamp),
            source: origin.source("AWS spot price history"),
            ..Price::default()
        })
    }
}
