"""What template.yaml must always hold, read from the resources it expands to."""

from __future__ import annotations

import re
from typing import Any

import pytest

from anamnesis.domain.tutoring.answers import GIVEN_UP, HELD, KEPT
from anamnesis.service.write_answer import WRITE_SECONDS
from anamnesis_tools.replay.queues import QUEUES
from support.template import FUNCTIONS, ROOT, allowed, as_list, expanded, of_type, statements, written

#: The page's files hold nothing of anybody; what it shows it asks the API for, with a token.
OPEN_ROUTES = {"GET /v1/health", "GET /v1/openapi.json", "GET /", "GET /page/{file}"}
TABLES = ("EpisodesTable", "BeliefsTable", "ConceptsTable", "RecordsTable")
BUCKETS = ("FilesBucket", "ContentBucket", "CheckpointsBucket")


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    """The CloudFormation resources that the template stands for."""
    return expanded()


def test_every_route_but_four_asks_for_a_token(resources: dict[str, Any]) -> None:
    """Only the health and the description of the service and the page's own files are open (SV-11)."""
    routes = of_type(resources, "AWS::ApiGatewayV2::Route").values()
    open_routes = {route["RouteKey"] for route in routes if route["AuthorizationType"] != "JWT"}
    assert open_routes == OPEN_ROUTES
    assert all("AuthorizerId" in route for route in routes if route["RouteKey"] not in OPEN_ROUTES)


def test_no_route_takes_a_preflight(resources: dict[str, Any]) -> None:
    """The gateway answers preflights itself, since no route matches OPTIONS (SV-11)."""
    methods = {r["RouteKey"].split()[0] for r in of_type(resources, "AWS::ApiGatewayV2::Route").values()}
    assert methods <= {"GET", "POST", "PUT", "DELETE"}
    api = resources["HttpApi"]["Properties"]
    assert methods == set(api["CorsConfiguration"]["AllowMethods"])
    # What a browser's client of the Model Context Protocol sends and reads.
    assert {"mcp-protocol-version", "mcp-session-id"} <= set(api["CorsConfiguration"]["AllowHeaders"])
    assert "mcp-session-id" in api["CorsConfiguration"]["ExposeHeaders"]


def test_nobody_signs_in_as_somebody_else(resources: dict[str, Any]) -> None:
    """A person's tenant and student are set once, and not through the app client (SV-11)."""
    pool = resources["UserPool"]["Properties"]
    assert {attribute["Name"]: attribute["Mutable"] for attribute in pool["Schema"]} == {
        "tenant": False,
        "student": False,
    }
    assert pool["AdminCreateUserConfig"]["AllowAdminCreateUserOnly"] is True
    app_client = resources["UserPoolClient"]["Properties"]
    assert not [name for name in app_client["WriteAttributes"] if name.startswith("custom:")]
    assert {"custom:tenant", "custom:student"} <= set(app_client["ReadAttributes"])


def test_there_is_a_group_for_every_role(resources: dict[str, Any]) -> None:
    """Roles are Cognito groups, one for each that the service knows (SV-11)."""
    groups = of_type(resources, "AWS::Cognito::UserPoolGroup").values()
    assert {group["GroupName"] for group in groups} == {"student", "teacher", "service"}


@pytest.mark.parametrize("table", TABLES)
def test_tables_are_encrypted_recoverable_and_kept(resources: dict[str, Any], table: str) -> None:
    """A table is encrypted, restorable to any second, on demand, and survives the stack (SV-11)."""
    properties = resources[table]["Properties"]
    assert properties["SSESpecification"]["SSEEnabled"] is True
    assert properties["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] is True
    assert properties["BillingMode"] == "PAY_PER_REQUEST"
    assert resources[table]["DeletionPolicy"] == "Retain"
    assert resources[table]["UpdateReplacePolicy"] == "Retain"


@pytest.mark.parametrize("bucket", BUCKETS)
def test_buckets_are_encrypted_private_and_kept(resources: dict[str, Any], bucket: str) -> None:
    """A bucket is encrypted, closed to the public, reached by TLS only, and survives the stack (SV-11)."""
    properties = resources[bucket]["Properties"]
    assert properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert all(properties["PublicAccessBlockConfiguration"].values())
    policy = resources[f"{bucket}Policy"]["Properties"]["PolicyDocument"]["Statement"]
    tls = next(statement for statement in policy if statement["Sid"] == "TlsOnly")
    assert tls["Effect"] == "Deny"
    assert tls["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert resources[bucket]["DeletionPolicy"] == "Retain"


def test_queues_are_encrypted(resources: dict[str, Any]) -> None:
    """Messages at rest are encrypted (SV-11)."""
    queues = of_type(resources, "AWS::SQS::Queue")
    assert queues
    assert all(queue["SqsManagedSseEnabled"] is True for queue in queues.values())


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_function_can_take_back_a_checkpoint(resources: dict[str, Any], function: str) -> None:
    """No role may delete a checkpoint or bypass its lock, and the bucket refuses it to everyone (EP-5)."""
    may = allowed(resources, function, "CheckpointsBucket")
    assert may <= {
        "s3:GetObject",
        "s3:GetObjectVersion",
        "s3:PutObject",
        "s3:ListBucket",
        "s3:ListBucketVersions",
    }
    policy = resources["CheckpointsBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    refused = {a for s in policy if s["Effect"] == "Deny" for a in as_list(s["Action"])}
    assert {"s3:DeleteObject", "s3:DeleteObjectVersion", "s3:BypassGovernanceRetention"} <= refused


def test_checkpoints_are_locked(resources: dict[str, Any]) -> None:
    """Checkpoints are versioned under Object Lock and signed with a key that never leaves KMS (EP-5)."""
    properties = resources["CheckpointsBucket"]["Properties"]
    assert properties["VersioningConfiguration"]["Status"] == "Enabled"
    assert properties["ObjectLockEnabled"] is True
    assert properties["ObjectLockConfiguration"]["Rule"]["DefaultRetention"]["Mode"] == "GOVERNANCE"
    key = resources["SigningKey"]["Properties"]
    assert (key["KeySpec"], key["KeyUsage"]) == ("ECC_NIST_P256", "SIGN_VERIFY")


def test_only_the_dispatcher_can_start_nights(resources: dict[str, Any]) -> None:
    """Only the function on the schedule may send to the night's queue (SV-11)."""
    senders = {f for f in FUNCTIONS if "sqs:SendMessage" in allowed(resources, f, "NightQueue")}
    assert senders == {"StartNight"}


def test_only_who_runs_nights_can_ask_for_compiles(resources: dict[str, Any]) -> None:
    """Only the functions that run nights may send to the wikis' queue, and only they are told of it (WD-1, SV-11)."""
    senders = {f for f in FUNCTIONS if "sqs:SendMessage" in allowed(resources, f, "WikiQueue")}
    told = {
        f
        for f in FUNCTIONS
        if "ANAMNESIS_WIKI_QUEUE_URL" in resources[f"{f}Function"]["Properties"]["Environment"]["Variables"]
    }
    assert senders == told == {"Api", "RunNight"}


def test_the_block_has_a_tight_wall_behind_its_deadline(resources: dict[str, Any]) -> None:
    """Lambda ends a turn's block soon after the service's own 2.5 s (BL-3)."""
    assert resources["ReadBlockFunction"]["Properties"]["Timeout"] == {"Ref": "ReadBlockTimeoutSeconds"}
    assert written()["Parameters"]["ReadBlockTimeoutSeconds"]["Default"] == 3


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_are_traced_watched_and_forget_their_logs(resources: dict[str, Any], function: str) -> None:
    """Each function is traced, has a log that ends, and alarms on its errors and throttles (SV-15)."""
    properties = resources[f"{function}Function"]["Properties"]
    assert properties["TracingConfig"]["Mode"] == "Active"
    log = properties["LoggingConfig"]["LogGroup"]["Ref"]
    assert "RetentionInDays" in resources[log]["Properties"]
    for metric in ("Errors", "Throttles"):
        alarm = resources[f"{function}{metric}Alarm"]["Properties"]
        assert alarm["MetricName"] == metric
        assert alarm["Dimensions"] == [{"Name": "FunctionName", "Value": {"Ref": f"{function}Function"}}]


def test_what_fails_for_good_is_kept_and_shown(resources: dict[str, Any]) -> None:
    """Every asynchronous way into a function ends in a queue of failures with an alarm (SV-14)."""
    stream = resources["IndexEpisodesFunctionNewEpisodes"]["Properties"]
    assert stream["DestinationConfig"]["OnFailure"]["Destination"] == {"Fn::GetAtt": ["IndexFailures", "Arn"]}
    assert stream["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert stream["BisectBatchOnFunctionError"] is True
    pairs = resources["RunNightFunctionPairs"]["Properties"]
    assert pairs["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    dead = resources["NightQueue"]["Properties"]["RedrivePolicy"]["deadLetterTargetArn"]
    assert dead == {"Fn::GetAtt": ["NightFailures", "Arn"]}
    students = resources["CompileWikiFunctionStudents"]["Properties"]
    assert students["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    dead = resources["WikiQueue"]["Properties"]["RedrivePolicy"]["deadLetterTargetArn"]
    assert dead == {"Fn::GetAtt": ["WikiFailures", "Arn"]}
    answers = resources["WriteAnswerFunctionAnswers"]["Properties"]
    assert answers["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    dead = resources["AnswerQueue"]["Properties"]["RedrivePolicy"]["deadLetterTargetArn"]
    assert dead == {"Fn::GetAtt": ["AnswerFailures", "Arn"]}
    for function, queue in (("ReadFile", "FileFailures"), ("StartNight", "StartNightFailures")):
        config = resources[f"{function}FunctionEventInvokeConfig"]["Properties"]
        assert config["DestinationConfig"]["OnFailure"]["Destination"] == {"Fn::GetAtt": [queue, "Arn"]}
    watched = {
        alarm["Dimensions"][0]["Value"]["Fn::GetAtt"][0]
        for alarm in of_type(resources, "AWS::CloudWatch::Alarm").values()
        if alarm["Namespace"] == "AWS/SQS"
    }
    nightly = {"NightFailures", "StartNightFailures", "WikiFailures"}
    assert watched == {"IndexFailures", "FileFailures", "AnswerFailures", *nightly}
    for queue in watched:
        # SQS keeps nothing longer; the clock starts when a message was first sent.
        assert resources[queue]["Properties"]["MessageRetentionPeriod"] == 14 * 24 * 3600


def test_a_replay_finds_all_it_calls() -> None:
    """The stack's outputs name every queue of failures, and every function and queue that a replay gives to (SV-14)."""
    functions = {"ReadFileFunctionName", "IndexEpisodesFunctionName", "StartNightFunctionName"}
    called = {"NightQueueUrl", "WikiQueueUrl", "AnswerQueueUrl"} | functions
    assert called | {output for output, _ in QUEUES.values()} <= set(written()["Outputs"])


@pytest.mark.parametrize("function, queue", [("RunNight", "NightQueue"), ("CompileWiki", "WikiQueue")])
def test_a_message_is_invisible_for_longer_than_it_runs(
    resources: dict[str, Any], function: str, queue: str
) -> None:
    """A pair's or a student's message comes back only after six time-outs of its function (SV-14)."""
    timeout = resources[f"{function}Function"]["Properties"]["Timeout"]
    assert resources[queue]["Properties"]["VisibilityTimeout"] >= 6 * timeout


def test_an_answers_times_fit_each_other(resources: dict[str, Any]) -> None:
    """A model's time ends before its function's, that before another writer may begin, that before the message comes.

    All tries together are over about when an answer is given up, so that the last one says so (SV-14).
    """
    function = resources["WriteAnswerFunction"]["Properties"]["Timeout"]
    queue = resources["AnswerQueue"]["Properties"]
    back = queue["VisibilityTimeout"]
    assert WRITE_SECONDS < function < HELD.total_seconds() < back
    assert queue["RedrivePolicy"]["maxReceiveCount"] * back <= GIVEN_UP.total_seconds() < KEPT.total_seconds()


def test_models_are_called_only_when_chosen(resources: dict[str, Any]) -> None:
    """Rights on Bedrock and OpenSearch exist only when the configuration names them (SV-4)."""
    conditions = {name: resources[name].get("Condition") for name in resources if name.endswith("Policy")}
    assert conditions["EmbeddingPolicy"] == "EmbedsWithBedrock"
    assert conditions["ConceptReadingPolicy"] == "ReadsWithBedrock"
    assert conditions["WikiWritingPolicy"] == "WritesWithBedrock"
    assert conditions["AnsweringPolicy"] == "AnswersWithBedrock"
    assert conditions["TutorKeyPolicy"] == "AnswersWithKey"
    assert conditions["SearchPolicy"] == "HasOpenSearch"
    assert all("bedrock" not in str(statements(resources, function)) for function in FUNCTIONS)


def asserted(rules: dict[str, Any], given: dict[str, str]) -> list[str]:
    """What the rules of the template say to these values of its parameters."""

    def holds(said: Any) -> Any:
        if not isinstance(said, dict):
            return said
        [(function, of)] = said.items()
        if function == "Ref":
            return given[of]
        values = [holds(value) for value in of]
        return not values[0] if function == "Fn::Not" else values[0] == values[1]

    return [
        one["AssertDescription"]
        for rule in rules.values()
        if holds(rule["RuleCondition"])
        for one in rule["Assertions"]
        if not holds(one["Assert"])
    ]


@pytest.mark.parametrize(
    "given, said",
    [
        ({}, []),
        ({"Tutor": "bedrock", "TutorModel": "m"}, []),
        ({"Tutor": "openai", "TutorModel": "m", "TutorUrl": "https://a.example/v1"}, []),
        ({"Tutor": "openai", "TutorModel": "m"}, ["TutorUrl, the base address"]),
        ({"Tutor": "bedrock"}, ["needs TutorModel"]),
        ({"Tutor": "bedrock", "TutorModel": "m", "TutorUrl": "https://a.example"}, ["of Tutor openai alone"]),
        ({"TutorUrl": "https://a.example"}, ["of Tutor openai alone"]),
        ({"TutorModel": "m"}, ["needs Tutor, bedrock or openai"]),
    ],
)
def test_half_a_tutor_is_not_deployed(given: dict[str, str], said: list[str]) -> None:
    """A tutor without its model or address, or one of these without it, is refused before anything is made (SV-4)."""
    template = written()
    defaults = {name: parameter.get("Default") for name, parameter in template["Parameters"].items()}
    found = asserted(template["Rules"], defaults | given)
    assert len(found) == len(said)
    assert all(part in text for part, text in zip(said, found, strict=True))


def test_nothing_secret_is_written_down(resources: dict[str, Any]) -> None:
    """The template holds no key, password or secret, and its app client has none (SV-11)."""
    text = (ROOT / "template.yaml").read_text(encoding="utf-8")
    assert not re.search(r"AKIA[0-9A-Z]{16}|-----BEGIN|\b(?i:secret|password)\s*:\s*\S", text)
    clients = of_type(resources, "AWS::Cognito::UserPoolClient").values()
    assert [client["GenerateSecret"] for client in clients] == [False]
