"""LangChain Expression Language: `--system langchain:lcel:chain`."""

from langchain_core.language_models import FakeListChatModel  # your model
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate

prompt = ChatPromptTemplate.from_template("Answer from the documents: {question}")
chain = prompt | FakeListChatModel(responses=["I don't know."]) | StrOutputParser()
