mod macros;
mod print;
mod reach;
mod scope;
mod source;
mod uses;

use anyhow::{Context, Result};
use clap::Args;
use quote::{format_ident, quote};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use syn::Item;

const CRATES: [(&str, &str); 2] = [("columns_core", "core"), ("columns_bot", "bot")];
const ENTRY: [&str; 3] = ["columns_bot", "submission", "main"];

#[derive(Args)]
pub(crate) struct Options {
    #[arg(long)]
    out: PathBuf,
    #[arg(long)]
    pretty: bool,
}

pub(crate) fn make(workspace: &Path, pretty: bool) -> Result<String> {
    let mut program = Vec::new();
    for (name, folder) in CRATES {
        let mut items = source::load(&workspace.join(folder).join("src/lib.rs"))?;
        macros::expand(&mut items, name)?;
        let name = format_ident!("{name}");
        program.push(Item::Mod(syn::parse_quote!(mod #name { #(#items)* })));
    }
    reach::prune(&mut program, &ENTRY)?;
    let names = CRATES.map(|(name, _)| name);
    let mut out = quote!(#![allow(warnings)]);
    for item in &program {
        let Item::Mod(module) = item else { continue };
        let name = &module.ident;
        let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
        let body = print::into_module(quote!(#(#items)*), &name.to_string(), &names);
        out.extend(quote!(mod #name { #body }));
    }
    let path = ENTRY.map(|n| format_ident!("{n}"));
    out.extend(quote!(fn main() -> std::process::ExitCode { #(#path)::*() }));
    if pretty {
        return Ok(prettyplease::unparse(&syn::parse2(out)?));
    }
    print::compact(&out)
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let ws = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = make(ws, options.pretty)?;
    println!("{}", text.len());
    std::fs::write(&options.out, text).context("out")?;
    Ok(ExitCode::SUCCESS)
}
