"""What each function's role may do: its work, and nothing beside it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from anamnesis.adapters.dynamodb.keys import apart
from anamnesis.adapters.dynamodb.request_counter import KIND
from support.template import FUNCTIONS, allowed, as_list, expanded, of_type, statements, written


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    """The CloudFormation resources that the template stands for."""
    return expanded()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_rights_name_actions_and_resources(resources: dict[str, Any], function: str) -> None:
    """A function's rights name each action and each resource; none is a wildcard (SV-11)."""
    for statement in statements(resources, function):
        assert not [action for action in as_list(statement["Action"]) if "*" in action]
        assert "*" not in as_list(statement["Resource"])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_rights_end_at_the_service_s_own(resources: dict[str, Any], function: str) -> None:
    """A right is on a table, key, queue or bucket of this stack by name; only objects go by pattern (SV-11)."""
    for statement in statements(resources, function):
        for resource in as_list(statement["Resource"]):
            target = str(next(iter(resource.values())))
            assert isinstance(resource, dict), statement
            assert "*" not in target.removesuffix("/*"), statement
            if target.endswith("/*"):
                assert all(action.startswith("s3:") for action in as_list(statement["Action"])), statement
            named = resource.get("Fn::GetAtt", [target.strip("${").partition(".")[0]])[0]
            assert named in resources or "-files-${AWS::AccountId}" in target, statement


def test_rights_by_choice_are_on_models_and_the_domain(resources: dict[str, Any]) -> None:
    """Rights that a configuration adds are on Bedrock models, one search domain and one secret alone (SV-11)."""
    policies = of_type(resources, "AWS::IAM::ManagedPolicy")
    added = {name: policy["PolicyDocument"]["Statement"] for name, policy in policies.items()}
    models = {"EmbeddingPolicy", "ConceptReadingPolicy", "WikiWritingPolicy", "AnsweringPolicy"}
    assert set(added) == {*models, "SearchPolicy", "TutorKeyPolicy"}
    for name, chosen in added.items():
        actions = {action for statement in chosen for action in as_list(statement["Action"])}
        targets = str([statement["Resource"] for statement in chosen])
        if name == "SearchPolicy":
            assert all(action.startswith("es:ESHttp") for action in actions)
            assert "domain/${OpenSearchDomainName}/*" in targets
        elif name == "TutorKeyPolicy":
            assert actions == {"secretsmanager:GetSecretValue"}
            assert targets == str([{"Ref": "TutorKeyArn"}])
        else:
            streamed = "WithResponseStream" if name == "AnsweringPolicy" else ""
            assert actions == {f"bedrock:InvokeModel{streamed}"}
            assert ":bedrock:" in targets


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_function_removes_a_row_of_the_log(resources: dict[str, Any], function: str) -> None:
    """No role may delete an item of the episodes, alone or in a batch (EP-2)."""
    assert not allowed(resources, function, "EpisodesTable") & {
        *("dynamodb:DeleteItem", "dynamodb:BatchWriteItem", "dynamodb:DeleteTable", "dynamodb:PartiQLDelete"),
    }


#: Both record: a question, and its answer.
CHAT = ("StartAnswer", "WriteAnswer")
#: Which functions may change what; the others may read it at most.
WRITERS = {
    "EpisodesTable": {"Api", "ReadFile", "RunNight", *CHAT},
    "BeliefsTable": {"Api", "ReadFile", "RunNight", "CompileWiki", *CHAT},
    "ConceptsTable": {"Api", "ReadFile", "RunNight", "CompileWiki", *CHAT},
    "RecordsTable": {"Api", "ReadBlock", "WikiMcp", "ReadFile", "IndexEpisodes", "RunNight", *CHAT},
    "CheckpointsBucket": {"Api", "RunNight"},
    "ContentBucket": {"Api", "ReadFile", "IndexEpisodes", "RunNight", "CompileWiki", *CHAT},
    "-files-": {"Api", "ReadFile", "RunNight"},
    "SigningKey": {"Api", "RunNight"},
    "ErasureKey": {"Api", "ReadFile", "RunNight", *CHAT},
}
_CHANGES = re.compile(r"^(dynamodb:(Put|Update|Delete|BatchWrite)|s3:(Put|Delete)|kms:(Sign|GenerateMac))")


@pytest.mark.parametrize("store", WRITERS)
def test_who_may_change_what(resources: dict[str, Any], store: str) -> None:
    """Each store and key is changed or used by the functions whose work it is and by no other (SV-11)."""
    writers = {f for f in FUNCTIONS if any(_CHANGES.match(a) for a in allowed(resources, f, store))}
    assert writers == WRITERS[store]


@pytest.mark.parametrize("function", ["ReadBlock", "WikiMcp"])
def test_the_block_s_function_counts_and_no_more(resources: dict[str, Any], function: str) -> None:
    """Of the records the functions for blocks and agents may change only the counts of requests, by key (SV-11)."""
    [counting] = [s for s in statements(resources, function) if "dynamodb:UpdateItem" in as_list(s["Action"])]
    assert as_list(counting["Action"]) == ["dynamodb:UpdateItem"]
    assert counting["Condition"] == {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["#REQUESTS#*"]}}
    assert apart(KIND, "any tenant").startswith("#REQUESTS#")


def test_the_agents_function_asks_the_api_and_nothing_else(resources: dict[str, Any]) -> None:
    """Whoever serves agents may call the API's function, count requests, and touch no store beside it (SV-11)."""
    rights = {
        (action, str(statement["Resource"]))
        for statement in statements(resources, "WikiMcp")
        for action in as_list(statement["Action"])
    }
    assert rights == {
        ("lambda:InvokeFunction", str({"Fn::GetAtt": ["ApiFunction", "Arn"]})),
        ("dynamodb:UpdateItem", str({"Fn::GetAtt": ["RecordsTable", "Arn"]})),
    }


def test_there_is_a_throttle_for_all_and_one_for_each(resources: dict[str, Any]) -> None:
    """The stage has a throttle, every HTTP function knows a tenant's, and that is a fraction of the stage's (SV-12)."""
    settings = resources["Stage"]["Properties"]["DefaultRouteSettings"]
    assert settings["ThrottlingRateLimit"] > 0
    assert settings["ThrottlingBurstLimit"] > 0
    limit = written()["Parameters"]["TenantRequestsPerMinute"]
    assert (limit["MinValue"], limit["Default"]) == (0, settings["ThrottlingRateLimit"] * 60 // 5)
    for function in ("Api", "ReadBlock", "StartAnswer", "WikiMcp"):
        variables = resources[f"{function}Function"]["Properties"]["Environment"]["Variables"]
        assert variables["ANAMNESIS_TENANT_REQUESTS_PER_MINUTE"] == {"Ref": "TenantRequestsPerMinute"}


def test_reading_a_block_changes_no_memory(resources: dict[str, Any]) -> None:
    """The function that reads a block may count requests in the records and write nothing else (SV-11)."""
    for table in ("EpisodesTable", "BeliefsTable", "ConceptsTable"):
        statement_actions = {
            action
            for statement in statements(resources, "ReadBlock")
            if table in str(statement["Resource"])
            for action in as_list(statement["Action"])
        }
        assert statement_actions == {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"}
    assert not {a for a in allowed(resources, "ReadBlock", "Bucket") if not re.match("s3:(Get|List)", a)}


def test_the_chat_takes_back_nothing(resources: dict[str, Any]) -> None:
    """Who begins and writes answers adds objects and removes none, signs nothing, and reads no upload (SV-11)."""
    for function in ("StartAnswer", "WriteAnswer"):
        rights = {
            action for statement in statements(resources, function) for action in as_list(statement["Action"])
        }
        assert not {right for right in rights if right.startswith(("s3:Delete", "lambda:"))}
        assert "kms:Sign" not in rights
        assert not allowed(resources, function, "-files-")
        assert not allowed(resources, function, "CheckpointsBucket")
    assert "sqs:SendMessage" not in {
        a for s in statements(resources, "WriteAnswer") for a in as_list(s["Action"])
    }


def test_only_who_writes_answers_is_told_of_the_tutor(resources: dict[str, Any]) -> None:
    """The endpoint and the name of its key are told to the one function that asks it, the model to two (SV-11)."""
    told = {
        name: {
            function
            for function in FUNCTIONS
            if f"ANAMNESIS_{name}"
            in resources[f"{function}Function"]["Properties"]["Environment"]["Variables"]
        }
        for name in ("TUTOR", "TUTOR_URL", "TUTOR_KEY_ARN", "ANSWER_QUEUE_URL")
    }
    assert told == {
        "TUTOR": {"StartAnswer", "WriteAnswer"},
        "TUTOR_URL": {"WriteAnswer"},
        "TUTOR_KEY_ARN": {"WriteAnswer"},
        "ANSWER_QUEUE_URL": {"StartAnswer"},
    }
