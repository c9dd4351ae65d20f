"""What can go wrong with the local stack, in words for the person who started it."""

from anamnesis_tools.failures import CommandFailed


class StackError(CommandFailed):
    """Base of the local stack's errors; its text is shown to the person as it is."""


class EmulatorFailed(StackError):
    """The emulator did not start, or ended by itself."""


class DeploymentFailed(StackError):
    """CloudFormation refused the template or rolled the stack back."""


class LayersOutdated(StackError):
    """The installed packages are not the pinned ones, so no layer can be built from them."""


class NotRunning(StackError):
    """No local stack runs in this state folder."""
