//! Common to both forms of AWS's price list for EC2: AWS Billing, "Reading the service price list file"
//! (<https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html>).

use crate::prices::HOURS_PER_YEAR;
use crate::prices::aws_part::PricePart;
use catalog::{ON_DEMAND, Price, reserved};
use serde::Deserialize;

/// The attributes of a product, under their names in JSON.
#[derive(Debug, Default, Hash, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Attributes {
    pub instance_type: String,
    pub vcpu: String,
    pub memory: String,
    pub region_code: String,
    /// The region's name, which answers of before 2021 have alone.
    pub location: String,
    pub operating_system: String,
    pub tenancy: String,
    pub pre_installed_sw: String,
    pub capacitystatus: String,
    pub marketoption: String,
}

impl Attributes {
    /// Whether it is a machine with Linux, shared hardware and nothing else to pay for.
    pub fn is_plain(&self) -> bool {
        let is = |value: &str, wanted: &str| value.eq_ignore_ascii_case(wanted);
        is(&self.operating_system, "Linux")
            && is(&self.tenancy, "Shared")
            && is(&self.pre_installed_sw, "NA")
            && is(&self.capacitystatus, "Used")
            && (self.marketoption.is_empty() || is(&self.marketoption, ON_DEMAND_MARKET))
            && !self.instance_type.is_empty()
    }

    /// The machine, if it is a plain one.
    pub fn machine(self) -> Option<SoldMachine> {
        if !self.is_plain() {
            return None;
        }
        let memory = self.memory.strip_suffix(" GiB").map(|memory| memory.replace(',', ""));
        Some(SoldMachine {
            label: self.instance_type,
            region: [self.region_code, self.location].into_iter().find(|region| !region.is_empty()),
            vcpus: self.vcpu.parse().ok(),
            memory_gib: memory.and_then(|memory| memory.parse().ok()),
        })
    }
}

/// Others are capacity blocks, which are paid for at once.
const ON_DEMAND_MARKET: &str = "OnDemand";

/// An instance type in a region.
#[derive(Debug, Clone)]
pub(crate) struct SoldMachine {
    pub label: String,
    pub region: Option<String>,
    pub vcpus: Option<u32>,
    pub memory_gib: Option<f64>,
}

/// Under which terms it is sold.
#[derive(Debug, Default, Hash, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
pub(crate) struct Terms {
    pub lease_contract_length: String,
    pub offering_class: String,
}

/// For how long one must buy.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Term {
    OnDemand,
    Years(u32),
}

impl Terms {
    /// `None` for convertible reservations, which are left out.
    pub fn term(&self, is_reserved: bool) -> Option<Term> {
        match (is_reserved, self.lease_contract_length.as_str()) {
            (false, _) => Some(Term::OnDemand),
            (true, length) if self.offering_class == "standard" => {
                length.strip_suffix("yr")?.trim().parse().ok().map(Term::Years)
            }
            _ => None,
        }
    }
}

/// The sum of an offer's parts.
#[derive(Debug, Default, Clone)]
pub(crate) struct Amount {
    pub per_hour: f64,
    pub upfront: f64,
    /// Shared by all parts; `None` before the first.
    pub currency: Option<String>,
}

impl Amount {
    /// Adds a part, by the hour or once.
    ///
    /// # Errors
    /// If it is in another currency than the parts before, or neither by the hour nor once.
    pub fn add(&mut self, part: &PricePart) -> Result<(), String> {
        let PricePart { unit, amount, currency } = part;
        match &self.currency {
            Some(known) if known != currency => {
                return Err(format!(
                    "an offer's price is in {known:?} and in {currency:?}. Use a list of one currency"
                ));
            }
            _ => self.currency = Some(currency.clone()),
        }
        match unit.as_str() {
            "Hrs" => self.per_hour += amount,
            "Quantity" => self.upfront += amount,
            other => return Err(format!("a price is per {other:?}, not Hrs or Quantity")),
        }
        Ok(())
    }

    /// The commitment and the price by the hour, with what is paid at once spread over the term. `None` for what costs nothing.
    pub fn by_hour(&self, term: Term) -> Option<(String, f64)> {
        let (commitment, per_hour) = match term {
            Term::OnDemand => (ON_DEMAND.to_owned(), self.per_hour),
            Term::Years(years) => {
                let once = self.upfront / (f64::from(years) * HOURS_PER_YEAR);
                (reserved(years), self.per_hour + once)
            }
        };
        (per_hour > 0.0).then_some((commitment, per_hour))
    }
}

impl SoldMachine {
    /// Its price.
    pub fn price(self, commitment: String, per_hour: f64, currency: Option<String>) -> Price {
        let Self { label, region, vcpus, memory_gib } = self;
        Price {
            label,
            region,
            vcpus,
            memory_gib,
            per_hour,
            commitment: Some(commitment),
            currency,
            ..Price::default()
        }
    }
}

/// The day of `2026-11-01T00:00:00Z`.
pub(crate) fn day(time: &str) -> Option<jiff::civil::Date> {
    time.get(..10)?.parse().ok()
}
