# Reads lines that contain a start in local time, a zone and a rule, separated by tabs, and writes up to six instances of each
# rule in local time, as interpreted by python-dateutil.
import sys
from datetime import datetime
from itertools import islice

from dateutil import rrule, tz

for line in sys.stdin:
    start, zone, rule = line.rstrip("\n").split("\t")
    at = datetime.fromisoformat(start).replace(tzinfo=tz.gettz(zone))
    print(" ".join(i.strftime("%Y-%m-%dT%H:%M:%S") for i in islice(rrule.rrulestr(rule, dtstart=at), 6)))
