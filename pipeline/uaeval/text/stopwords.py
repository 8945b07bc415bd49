"""Words that carry little meaning of their own, in some widely used languages."""

from typing import Final

_ENGLISH: Final = """
a about above after again against all also am an and any are as at be because been before being
below between both but by can could did do does doing down during each either else ever every few
for from further get gets got had has have having he her here hers herself him himself his how i
if in into is it its itself just let like may me might more most much must my myself neither no
nor not now of off on once one only onto or other our ours ourselves out over own per please
rather same shall she should since so some such than that the their theirs them themselves then
there these they this those though through thus to too under until up upon us very was we were
what when where whether which while who whom whose why will with within without would yet you
your yours yourself yourselves i'm you're it's don't doesn't didn't can't won't isn't aren't wasn't
weren't i've you've we've they've i'll you'll we'll they'll i'd you'd let's that's there's what's
"""
_GERMAN: Final = """
aber als am an auch auf aus bei bin bis da das dass dem den der des die dies diese dieser dieses
du durch ein eine einem einen einer eines er es für hat haben ich ihr im in ist kann können man
mit nach nicht noch nur oder ohne sein sich sie sind so über um und uns unter vom von vor war was
wenn wer werden wie wir wird zu zum zur
"""
_FRENCH: Final = """
au aux avec ce ces cette dans de des du elle en est et être il ils je la le les leur lui mais ne
nous on ou où par pas pour que qui sa se ses si son sont sur un une vous
"""
_SPANISH: Final = """
al como con de del el ella en es esta este esto ha la las le lo los más no o para pero por que se
si sin sobre son su sus un una y ya
"""
STOP_WORDS: Final = frozenset(f"{_ENGLISH} {_GERMAN} {_FRENCH} {_SPANISH}".split())
ENGLISH_STOP_WORDS: Final = frozenset(_ENGLISH.split())
