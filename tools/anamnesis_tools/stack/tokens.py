"""Real ID tokens from the stack's own user pool, for people and programs that exist only here."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
from typing import Any

ROLES = ("student", "teacher", "service")


def username(tenant: str, student: str | None, role: str) -> str:
    """Return the Cognito user name of a person: ids may be any text, user names may not, so it is a hash."""
    described = json.dumps([tenant, student, role], ensure_ascii=True)
    return f"{role}-{hashlib.sha256(described.encode()).hexdigest()[:40]}"


def password(secret: bytes, name: str) -> str:
    """Return the password of a user: the same every time, so that two processes can sign the same user in."""
    return "Aa1" + hmac.new(secret, name.encode(), hashlib.sha256).hexdigest()


def issue(cognito: Any, pool: str, app_client: str, secret: bytes, who: tuple[str, str | None, str]) -> str:
    """Sign a person in, making them first if they are new.

    Parameters
    ----------
    cognito
        Client of ``cognito-idp``.
    pool
        Id of the user pool.
    app_client
        Id of the app client.
    secret
        Of this stack; passwords derive from it.
    who
        Tenant, student (None for a teacher or a service that is no student) and role.

    Returns
    -------
    str
        An ID token, which carries ``custom:tenant``, ``custom:student`` and ``cognito:groups``.
    """
    name = username(*who)
    try:
        return _sign_in(cognito, pool, app_client, name, password(secret, name))
    except (cognito.exceptions.UserNotFoundException, cognito.exceptions.NotAuthorizedException):
        _register(cognito, pool, name, password(secret, name), who)
        return _sign_in(cognito, pool, app_client, name, password(secret, name))


def _sign_in(cognito: Any, pool: str, app_client: str, name: str, secret: str) -> str:
    answer = cognito.admin_initiate_auth(
        UserPoolId=pool,
        ClientId=app_client,
        AuthFlow="ADMIN_USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": name, "PASSWORD": secret},
    )
    return str(answer["AuthenticationResult"]["IdToken"])


def _register(cognito: Any, pool: str, name: str, secret: str, who: tuple[str, str | None, str]) -> None:
    tenant, student, role = who
    attributes = [{"Name": "custom:tenant", "Value": tenant}]
    if student is not None:
        attributes.append({"Name": "custom:student", "Value": student})
    # Made a moment ago by another process, which may not have come to the password yet.
    with contextlib.suppress(cognito.exceptions.UsernameExistsException):
        cognito.admin_create_user(
            UserPoolId=pool,
            Username=name,
            UserAttributes=attributes,
            MessageAction="SUPPRESS",
            TemporaryPassword=secret,  # the emulator would make one up that breaks the pool's own rules
        )
    cognito.admin_set_user_password(UserPoolId=pool, Username=name, Password=secret, Permanent=True)
    cognito.admin_add_user_to_group(UserPoolId=pool, Username=name, GroupName=role)
