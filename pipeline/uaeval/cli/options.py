"""Options that several commands take, with their help."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Size: TypeAlias = Annotated[
    int | None, typer.Option(help="Unanswerable queries in all; twins on top. [120]")
]
Categories: TypeAlias = Annotated[
    str | None, typer.Option(help="Comma-separated; all six if not given.")
]
Seed: TypeAlias = Annotated[int | None, typer.Option(help="Same seed, same dataset. [0]")]
Author: TypeAlias = Annotated[
    str | None,
    typer.Option(help="The author: `offline` (English, no network) or `provider:model`. [offline]"),
]
Verifier: TypeAlias = Annotated[
    str | None, typer.Option(help="The verifier, if it is not the author's model.")
]
BaseUrl: TypeAlias = Annotated[
    str | None, typer.Option(help="The model's endpoint, such as http://localhost:8000/v1.")
]
VerifierBaseUrl: TypeAlias = Annotated[
    str | None, typer.Option(help="The verifier's endpoint, if it is not the author's.")
]
VerifierSamples: TypeAlias = Annotated[
    int | None,
    typer.Option(help="How often a candidate is verified; more than half must agree. [1]"),
]
Samples: TypeAlias = Annotated[
    int | None, typer.Option(help="How often a candidate is verified, or a response judged. [1]")
]
JudgeBaseUrl: TypeAlias = Annotated[
    str | None, typer.Option(help="The judge's endpoint, if it is not the RAG's model's.")
]
JudgeSamples: TypeAlias = Annotated[
    int | None,
    typer.Option(help="How often a response is judged; more than half must agree. [1]"),
]
Queries: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        help="File of your own queries (see `uaeval export --list`), each with a category: they "
        "are verified and given twins; none is written."
    ),
]
OtherJudges: TypeAlias = Annotated[
    str | None,
    typer.Option(help="Further judges, comma-separated: they show how far judges agree."),
]
Majority: TypeAlias = Annotated[
    bool | None,
    typer.Option("--majority", help="More than half of all judges decide, instead of the first."),
]
News: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        help="Outside articles for out_of_database: a folder or file of html, text or rows, "
        "`hf:<dataset>`, a feed's address, a search's address with {query}, `bing`, `gdelt`, "
        "`google`, or `holdout`: set documents of the knowledge base aside. May be given several "
        "times. [holdout]"
    ),
]
Since: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Take articles from this day on, 2026-03-14. [day of the newest document, if known]"
    ),
]
PerSource: TypeAlias = Annotated[
    int | None, typer.Option(help="Most articles looked at from each --news. [200]")
]
AddTopic: TypeAlias = Annotated[
    list[str] | None, typer.Option(help="Search for this too; may be given several times.")
]
PinTopic: TypeAlias = Annotated[
    list[str] | None, typer.Option(help="Search for this first; may be given several times.")
]
ForbidTopic: TypeAlias = Annotated[
    list[str] | None, typer.Option(help="Never search for this; may be given several times.")
]
AllowHost: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(help="A host of your own network that may be asked; several times, too."),
]
Contact: TypeAlias = Annotated[
    str | None, typer.Option(help="Your e-mail or web address, for the sites that are asked.")
]
WebProxy: TypeAlias = Annotated[
    str | None, typer.Option(help="HTTP proxy for pages, such as http://host:3128.")
]
AskRag: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--ask-rag",
        help="Ask the built-in RAG each proven out_of_database question, too, and record what it "
        "says as evidence; it decides nothing.",
    ),
]
Mode: TypeAlias = Annotated[
    str | None, typer.Option(help="`live`, or `batch`: write requests to a file. [live]")
]
Concurrency: TypeAlias = Annotated[int | None, typer.Option(help="Model calls in flight. [8]")]
RequestsPerMinute: TypeAlias = Annotated[
    int | None, typer.Option(help="Requests per minute to one model. [no limit]")
]
TokensPerMinute: TypeAlias = Annotated[
    int | None, typer.Option(help="Tokens per minute to one model. [no limit]")
]
Timeout: TypeAlias = Annotated[
    float | None, typer.Option(help="Seconds for one attempt at a call. [120]")
]
Retries: TypeAlias = Annotated[
    int | None, typer.Option(help="Further attempts at a call that failed. [4]")
]
Language: TypeAlias = Annotated[
    str | None, typer.Option(help="Language of the queries; `auto`: the passage's. [auto]")
]
Embedding: TypeAlias = Annotated[
    str | None,
    typer.Option(help="`hashed-words-1024` (offline) or `provider:model`. [hashed-words-1024]"),
]
Prompts: TypeAlias = Annotated[
    Path | None, typer.Option(help="Folder whose files replace shipped prompts.")
]
Config: TypeAlias = Annotated[
    Path | None, typer.Option(help="YAML file of settings; options here win over it.")
]
Judge: TypeAlias = Annotated[
    str | None, typer.Option(help="The judge, if it is not the RAG's model.")
]
Prices: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="YAML file of prices beside the shipped list, in the same shape."),
]
MaxCost: TypeAlias = Annotated[
    float | None,
    typer.Option(help="Stop at so many US dollars, over all sittings; run again to go on."),
]
MaxCalls: TypeAlias = Annotated[
    int | None,
    typer.Option(help="Stop at so many calls of models, over all sittings; run again to go on."),
]
Url: TypeAlias = Annotated[
    str | None,
    typer.Option(help="`http`: the address, perhaps with {question}; `openai`: the base address."),
]
Method: TypeAlias = Annotated[str | None, typer.Option(help="`http`: GET, POST or PUT. [POST]")]
Body: TypeAlias = Annotated[
    str | None,
    typer.Option(help='The JSON to send, with {question} in it. [{"question": "{question}"}]'),
]
AnswerPath: TypeAlias = Annotated[
    str | None,
    typer.Option(help="JSON path to the answer, such as `choices[0].message.content`. [answer]"),
]
ContextsPath: TypeAlias = Annotated[
    str | None, typer.Option(help="JSON path to the passages, such as `documents[*].text`.")
]
Header: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        help="A header, such as 'Authorization: Bearer $RAG_TOKEN'; $NAME is read from the "
        "environment. Several may be given.",
    ),
]
SystemConcurrency: TypeAlias = Annotated[
    int | None, typer.Option(help="Queries before the system at once. [as --concurrency]")
]
FailUnder: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        help="Exit with 3 if a figure lies under its bound or has no value: joint=0.75, "
        "acceptable.underspecified=0.6. Several may be given."
    ),
]
FailOver: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(help="The same for what is better the lower it is: over_refusal=0.1."),
]
RagEmbedding: TypeAlias = Annotated[
    str | None, typer.Option(help="The RAG's embedding, as for `synthesize`. [the dataset's]")
]
Retriever: TypeAlias = Annotated[
    str | None, typer.Option(help="The RAG's retriever: `vector`, `bm25` or `fused`. [fused]")
]
Rewriting: TypeAlias = Annotated[
    str | None,
    typer.Option(help="What the RAG searches by too: `none`, `hyde` or `multi_query`. [none]"),
]
Reranker: TypeAlias = Annotated[
    str | None, typer.Option(help="`none`, `model` or `cross-encoder:<model>`. [none]")
]
Candidates: TypeAlias = Annotated[
    int | None, typer.Option(help="Passages that a reranker orders. [20]")
]
AnswerPrompt: TypeAlias = Annotated[
    str | None, typer.Option(help="`default`, `by_case` or `evidence_first`. [default]")
]
WithoutPassages: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--without-passages",
        help="Leave out the text of the knowledge base, and verifiers' words, which quote it.",
    ),
]
License: TypeAlias = Annotated[
    str, typer.Option("--license", help="License on the card, as the Hub names it: `cc-by-4.0`.")
]
PrettyName: TypeAlias = Annotated[
    str | None, typer.Option("--name", help="Name on the card. [the run's folder]")
]
Controls: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="File of your own questions with reference answers, asked as well."),
]
IndexOf: TypeAlias = Annotated[
    Path | None,
    typer.Option("--index", help="Run whose index `rag` answers from, if DATASET is a file."),
]
