// Reads lines that contain a start in local time, a zone and a rule, separated by tabs, and writes up to six instances of
// each rule in local time, as interpreted by libical.
#include <libical/ical.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        char *start = strtok(line, "\t"), *zone = strtok(NULL, "\t"), *rule = strtok(NULL, "\n");
        char compact[32];
        int n = 0;
        (void)zone;
        for (char *c = start; *c; c++)
            if (*c != '-' && *c != ':') compact[n++] = *c;
        compact[n] = 0;
        struct icalrecurrencetype recur = icalrecurrencetype_from_string(rule);
        icalrecur_iterator *i = icalrecur_iterator_new(recur, icaltime_from_string(compact));
        for (int k = 0; i && k < 6; k++) {
            struct icaltimetype t = icalrecur_iterator_next(i);
            if (icaltime_is_null_time(t)) break;
            printf("%s%04d-%02d-%02dT%02d:%02d:%02d", k ? " " : "", t.year, t.month, t.day, t.hour, t.minute, t.second);
        }
        printf("\n");
        if (i) icalrecur_iterator_free(i);
    }
    return 0;
}
