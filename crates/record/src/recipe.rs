//! Settings with a name, for `--variant NAME`.

use super::variant::Variant;

/// A setting that many try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    pub name: &'static str,
    /// A phrase on its effect.
    pub about: &'static str,
    environment: &'static [(&'static str, &'static str)],
    smt_off: bool,
}

/// All of them. The variables are those of the GNU C library (its manual, *Memory Allocation Tunables*).
pub const RECIPES: [Recipe; 3] = [
    Recipe {
        name: "keep-memory",
        about: "the C library keeps freed memory instead of giving it back to the kernel",
        environment: &[(
            "GLIBC_TUNABLES",
            "glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=4294967296",
        )],
        smt_off: false,
    },
    Recipe {
        name: "thp",
        about: "the C library asks for transparent huge pages",
        environment: &[("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")],
        smt_off: false,
    },
    Recipe {
        name: "no-smt",
        about: "one thread per core at most, the other CPUs of each core idle, as with SMT switched off",
        environment: &[],
        smt_off: true,
    },
];

impl Recipe {
    /// The variant of this name; `None` if no recipe has it.
    pub fn variant(name: &str) -> Option<Variant> {
        let recipe = RECIPES.iter().find(|recipe| recipe.name == name)?;
        let environment = recipe.environment.iter();
        Some(Variant {
            name: name.to_owned(),
            environment: environment.map(|(key, value)| ((*key).into(), (*value).into())).collect(),
            smt_off: recipe.smt_off,
            ..Variant::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_is_a_variant_that_its_flag_expresses() {
        for recipe in RECIPES {
            let variant = Recipe::variant(recipe.name).expect("it is one");
            assert!(!variant.environment.is_empty() || variant.smt_off);
            assert_eq!(variant.to_string().parse(), Ok(variant));
        }
        assert_eq!(Recipe::variant("base"), None);
    }
}
