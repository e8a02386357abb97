use super::{all, short};

pub(super) const CSV: &str = r#""FormatVersion","v1.0"
"Disclaimer","This pricing list is for informational purposes only."
"Publication Date","2026-10-30T22:07:21Z"
"Version","20261030220721"
"OfferCode","AmazonEC2"
"SKU","OfferTermCode","RateCode","TermType","PriceDescription","EffectiveDate","StartingRange","EndingRange","Unit","PricePerUnit","Currency","LeaseContractLength","PurchaseOption","OfferingClass","Product Family","Instance Type","vCPU","Memory","Tenancy","Operating System","License Model","CapacityStatus","operation","Pre Installed S/W","Region Code"
"A1","JRT","A1.JRT.6YS","OnDemand","on demand","2026-10-01","0","Inf","Hrs","0.8000000000","USD","","","","Compute Instance","m8g.4xlarge","16","64 GiB","Shared","Linux","No License required","Used","RunInstances","NA","us-east-1"
"A1","NQ3","A1.NQ3.6YS","Reserved","all upfront, monthly","2026-10-01","0","Inf","Hrs","0.0000000000","USD","1yr","All Upfront","standard","Compute Instance","m8g.4xlarge","16","64 GiB","Shared","Linux","No License required","Used","RunInstances","NA","us-east-1"
"A1","NQ3","A1.NQ3.2TG","Reserved","all upfront, fee","2026-10-01","0","Inf","Quantity","4380","USD","1yr","All Upfront","standard","Compute Instance","m8g.4xlarge","16","64 GiB","Shared","Linux","No License required","Used","RunInstances","NA","us-east-1"
"A1","4NA","A1.4NA.6YS","Reserved","no upfront","2026-10-01","0","Inf","Hrs","0.5500000000","USD","1yr","No Upfront","standard","Compute Instance","m8g.4xlarge","16","64 GiB","Shared","Linux","No License required","Used","RunInstances","NA","us-east-1"
"A1","CV1","A1.CV1.6YS","Reserved","convertible","2026-10-01","0","Inf","Hrs","0.1000000000","USD","3yr","No Upfront","convertible","Compute Instance","m8g.4xlarge","16","64 GiB","Shared","Linux","No License required","Used","RunInstances","NA","us-east-1"
"B2","JRT","B2.JRT.6YS","OnDemand","dedicated","2026-10-01","0","Inf","Hrs","0.1000000000","USD","","","","Compute Instance","m8g.4xlarge","16","64 GiB","Dedicated","Linux","No License required","Used","RunInstances","NA","us-east-1"
"C3","JRT","C3.JRT.6YS","OnDemand","a disk","2026-10-01","0","Inf","GB-Mo","0.0800000000","USD","","","","Storage","","","","","","","","","","us-east-1"
"#;

const EXPECTED: [(&str, &str, f64); 2] =
    [("m8g.4xlarge", "on demand", 0.8), ("m8g.4xlarge", "reserved 1 year", 0.5)];

/// The prices of [`CSV`] as JSON.
pub(super) fn json() -> String {
    let product = |sku: &str, tenancy: &str| {
        format!(
            r#""{sku}":{{"sku":"{sku}","productFamily":"Compute Instance","attributes":{{"servicecode":"AmazonEC2","instanceType":
            "m8g.4xlarge","vcpu":"16","memory":"64 GiB","tenancy":"{tenancy}","operatingSystem":"Linux","preInstalledSw":"NA",
            "capacitystatus":"Used","regionCode":"us-east-1","marketoption":"OnDemand"}}}}"#
        )
    };
    let offer = |code: &str, parts: &[(&str, &str)], terms: &str| {
        let part = |(number, (unit, price)): (usize, &(&str, &str))| {
            format!(r#""{number}":{{"unit":"{unit}","pricePerUnit":{{"USD":"{price}"}}}}"#)
        };
        let parts: Vec<String> = parts.iter().enumerate().map(part).collect();
        let parts = parts.join(",");
        format!(
            r#""{code}":{{"sku":"A1","priceDimensions":{{{parts}}},"termAttributes":{{{terms}}}}}"#
        )
    };
    let terms = |length: &str, class: &str| {
        format!(
            r#""LeaseContractLength":"{length}","OfferingClass":"{class}","PurchaseOption":"x""#
        )
    };
    let standard = terms("1yr", "standard");
    let reserved = [
        offer("A1.NQ3", &[("Hrs", "0"), ("Quantity", "4380")], &standard),
        offer("A1.4NA", &[("Hrs", "0.55")], &standard),
        offer("A1.CV1", &[("Hrs", "0.1")], &terms("3yr", "convertible")),
    ];
    format!(
        r#"{{"formatVersion":"v1.0","disclaimer":"","offerCode":"AmazonEC2","version":"20261030220721",
        "publicationDate":"2026-10-30T22:07:21Z","products":{{{},{},"C3":{{"sku":"C3","attributes":{{"volumeType":"gp3"}}}}}},
        "terms":{{"OnDemand":{{"A1":{{{}}},"B2":{{{}}},"C3":{{{}}}}},"Reserved":{{"A1":{{{}}}}}}}}}"#,
        product("A1", "Shared"),
        product("B2", "Dedicated"),
        offer("A1.JRT", &[("Hrs", "0.8000000000")], ""),
        offer("B2.JRT", &[("Hrs", "0.1")], ""),
        offer("C3.JRT", &[("GB-Mo", "0.08")], ""),
        reserved.join(",")
    )
}

#[test]
fn the_price_list_of_ec2_gives_on_demand_and_reserved_with_the_upfront_fee_spread_over_the_term() {
    for (name, text) in [("index.csv", CSV.to_owned()), ("index.json", json())] {
        let prices = all(name, &text).unwrap();
        assert_eq!(short(&prices), EXPECTED, "{name}");
        let price = &prices[1];
        assert_eq!((price.vcpus, price.memory_gib, price.cores), (Some(16), Some(64.0), None));
        assert_eq!(price.region.as_deref(), Some("us-east-1"));
        assert_eq!(price.date.unwrap().to_string(), "2026-10-30");
        assert_eq!(price.source, Some(format!("AWS price list ({name})")));
    }
}

#[test]
fn the_price_list_of_another_service_is_refused() {
    let other = json().replace("\"offerCode\":\"AmazonEC2\"", "\"offerCode\":\"AmazonRDS\"");
    for text in [CSV.replace("AmazonEC2", "AmazonRDS"), other] {
        let error = all("index", &text).unwrap_err();
        assert!(error.contains("AWS's price list of AmazonRDS. Use that of AmazonEC2"), "{error}");
    }
}

#[test]
fn what_is_broken_is_named_with_its_line() {
    let error = all("index.csv", &CSV.replace("0.5500000000", "half a dollar")).unwrap_err();
    assert!(error.contains("line 10: a price is \"half a dollar\""), "{error}");
    let error = all("index.json", &json().replace("\"0.55\"", "0.55")).unwrap_err();
    assert!(error.contains("expected a string at line 7"), "{error}");
    let mut late = json();
    late = late.replace("\"products\"", "\"productsAtTheEnd\"");
    assert!(all("index.json", &late).unwrap_err().contains("terms come before products"));
    let error = all("index.csv", &CSV.replace("\"Unit\"", "\"Units\"")).unwrap_err();
    assert!(error.contains("the column Unit is missing"), "{error}");
}

#[test]
fn an_offer_in_two_currencies_is_refused_with_both() {
    // The fee of what costs 0 an hour in dollars.
    let csv = CSV.replace("\"4380\",\"USD\"", "\"4380\",\"CNY\"");
    let error = all("index.csv", &csv).unwrap_err();
    let says = "an offer's price is in \"USD\" and in \"CNY\". Use a list of one currency";
    assert!(error.contains("line 9: ") && error.contains(says), "{error}");
    let json = json().replace(r#"{"USD":"0.8000000000"}"#, r#"{"USD":"1","CNY":"7"}"#);
    let error = all("index.json", &json).unwrap_err();
    let says = "an offer's price is in \"CNY\" and in \"USD\". Use a list of one currency";
    assert!(error.contains(says), "{error}");
}

#[test]
fn a_part_of_a_price_that_stands_there_twice_counts_once_and_with_another_price_is_refused() {
    let prices = all("index.csv", &CSV.repeat(2)).unwrap();
    assert_eq!(short(&prices), EXPECTED);
    let other = CSV.replace("\"0.8000000000\"", "\"0.9\"");
    let error = all("index.csv", &(CSV.to_owned() + &other)).unwrap_err();
    let says = "line 20: RateCode \"A1.JRT.6YS\" is listed twice, with different prices";
    assert!(error.contains(says), "{error}");
    let other = CSV.replace("m8g.4xlarge", "m8g.8xlarge");
    let error = all("index.csv", &(CSV.to_owned() + &other)).unwrap_err();
    assert!(error.contains("line 20: offer \"JRT\" of SKU \"A1\" is listed twice"), "{error}");

    let part = |name: &str, price: &str| {
        format!(
            r#""{name}":{{"rateCode":"A1.JRT.6YS","unit":"Hrs","pricePerUnit":{{"USD":"{price}"}}}}"#
        )
    };
    let json = json();
    let once = r#""0":{"unit":"Hrs","pricePerUnit":{"USD":"0.8000000000"}}"#;
    let with = |parts: [String; 2]| all("index.json", &json.replace(once, &parts.join(",")));
    assert!(json.contains(once));
    for names in [["a", "a"], ["a", "b"]] {
        let prices = with(names.map(|name| part(name, "0.8"))).unwrap();
        assert_eq!(short(&prices), EXPECTED, "{names:?}");
        let error = with([part(names[0], "0.8"), part(names[1], "0.9")]).unwrap_err();
        assert!(error.contains("RateCode \"A1.JRT.6YS\" is listed twice"), "{error}");
    }
}

#[test]
fn a_list_that_is_cut_off_is_refused() {
    let (whole, last) = (CSV.trim_end(), "\"us-east-1\"");
    for length in [whole.len(), whole.len() - 4, whole.len() - last.len(), whole.len() / 2] {
        let error = all("index.csv", &whole[..length]).unwrap_err();
        let says = "index.csv: is cut off: its last line has no line end. Download it again";
        assert!(error.contains(says), "{length}: {error}");
    }
    assert_eq!(short(&all("index.csv", &CSV.replace('\n', "\r\n")).unwrap()), EXPECTED);
    let whole = json();
    assert!(all("index.json", &whole[..whole.len() - 1]).unwrap_err().contains("EOF"));
}

/// Spot prices of two zones at three times.
pub(super) fn spot() -> String {
    let price = |zone: &str, price: &str, time: &str, os: &str| {
        format!(
            r#"{{"AvailabilityZone":"{zone}","InstanceType":"m8g.4xlarge","ProductDescription":"{os}","SpotPrice":"{price}",
            "Timestamp":"{time}"}}"#
        )
    };
    let linux = "Linux/UNIX";
    let all_prices = [
        price("us-east-1a", "0.10", "2026-11-01T00:00:00+00:00", linux),
        price("us-east-1a", "0.30", "2026-11-03T00:00:00+00:00", linux),
        price("us-east-1b", "0.25", "2026-11-02T00:00:00+00:00", linux),
        price("us-east-1b", "0.20", "2026-11-01T00:00:00+00:00", linux),
        price("us-east-1b", "0.01", "2026-11-03T00:00:00+00:00", "Windows"),
    ];
    format!("{{\"SpotPriceHistory\":[{}]}}", all_prices.join(","))
}

#[test]
fn spot_prices_are_the_newest_of_each_zone_and_the_lowest_zone_counts() {
    let prices = all("spot.json", &spot()).unwrap();
    assert_eq!(short(&prices), [("m8g.4xlarge", "spot", 0.25)]);
    assert_eq!(prices[0].region.as_deref(), Some("us-east-1"));
}

#[test]
fn an_answer_of_get_products_gives_the_same_prices_as_text_packed_or_through_a_query() {
    let text = include_str!("../../../fixtures/prices/get-products.json");
    let expected = [
        ("t2.micro", "on demand", 0.0126),
        ("t2.micro", "reserved 1 year", 0.0082),
        ("t2.micro", "reserved 3 years", 0.0055),
    ];
    let prices = all("answer.json", text).unwrap();
    assert_eq!(
        (short(&prices).as_slice(), prices[0].region.as_deref()),
        (&expected[..], Some("EU (Ireland)"))
    );
    // aws pricing get-products --query PriceList, with or without jq's fromjson.
    let answer: serde_json::Value = serde_json::from_str(text).unwrap();
    let texts = answer["PriceList"].clone();
    let parsed: serde_json::Value = serde_json::from_str(texts[0].as_str().unwrap()).unwrap();
    for form in [texts, serde_json::json!({ "PriceList": [parsed] })] {
        assert_eq!(short(&all("answer.json", &form.to_string()).unwrap()), expected);
    }
    let wrong = all("answer.json", r#"{"PriceList":["{\"product\":5}"]}"#).unwrap_err();
    assert!(wrong.contains("a product of PriceList"), "{wrong}");
}

#[test]
fn lists_are_read_packed_and_in_the_encoding_of_windows() {
    let text = include_str!("../../../fixtures/prices/get-products.json");
    let utf16: Vec<u8> =
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = format!("\u{feff}{}", super::aws::json());
    for content in [utf16, marked.into_bytes()] {
        let (_folder, path) = super::file("list.json", &content);
        assert!(!crate::prices::read(&path, &|_| true).unwrap().is_empty());
    }
    let semicolons = include_str!("../../../fixtures/prices/semicolon.csv");
    let prices = all("p.csv", semicolons).unwrap();
    assert_eq!(prices.iter().map(|price| price.per_hour).collect::<Vec<_>>(), [0.68, 0.58]);
}
