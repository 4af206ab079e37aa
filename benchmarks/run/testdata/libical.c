/* Expands the first instances of a rule, again and again: libical RULE START INSTANCES TIMES. START is a UTC time. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
	if (argc != 5) return 2;
	struct icalrecurrencetype rule = icalrecurrencetype_from_string(argv[1]);
	struct icaltimetype start = icaltime_from_string(argv[2]);
	int instances = atoi(argv[3]), times = atoi(argv[4]), n = 0;
	for (int i = 0; i < times; i++) {
		icalrecur_iterator *it = icalrecur_iterator_new(rule, start);
		if (!it) return 1;
		for (n = 0; n < instances && !icaltime_is_null_time(icalrecur_iterator_next(it)); n++);
		icalrecur_iterator_free(it);
	}
	printf("%d\n", n);
	return 0;
}
