/* Calls the public service with libgdata. It aborts if an answer is not as expected. */
#include <gdata/gdata.h>

enum { hour = 3600, start = 1773133200 /* 2026-03-10T09:00:00Z */ };

/* done ends the program if a call has failed. */
static void
done (GError *error)
{
	if (error != NULL)
		g_error ("%s", error->message);
}

/* find returns the only event from start on. The caller owns it. */
static GDataCalendarEvent *
find (GDataCalendarService *service, GDataCalendarCalendar *calendar)
{
	GError *error = NULL;
	GDataCalendarQuery *query = gdata_calendar_query_new_with_limits (NULL, start, start + 24 * hour);
	GDataFeed *feed = gdata_calendar_service_query_events (service, calendar, GDATA_QUERY (query), NULL, NULL, NULL, &error);
	done (error);
	GList *entries = gdata_feed_get_entries (feed);
	g_assert_cmpuint (g_list_length (entries), ==, 1);
	GDataCalendarEvent *event = g_object_ref (entries->data);
	g_object_unref (feed);
	g_object_unref (query);
	return event;
}

/* same compares an event with what was stored. */
static void
same (GDataCalendarEvent *event, const gchar *title, gint64 from)
{
	gint64 starts, ends;
	g_assert_cmpstr (gdata_entry_get_title (GDATA_ENTRY (event)), ==, title);
	g_assert_true (gdata_calendar_event_get_primary_time (event, &starts, &ends, NULL));
	g_assert_cmpint (starts, ==, from);
	g_assert_cmpint (ends, ==, from + hour);
	GDataGDWhere *place = gdata_calendar_event_get_places (event)->data;
	g_assert_cmpstr (gdata_gd_where_get_value_string (place), ==, "Room 4");
	GDataGDWho *guest = gdata_calendar_event_get_people (event)->data;
	g_assert_cmpstr (gdata_gd_who_get_email_address (guest), ==, "ada@example.com");
}

int
main (void)
{
	GError *error = NULL;
	GDataOAuth2Authorizer *authorizer = gdata_oauth2_authorizer_new ("id", "secret", GDATA_OAUTH2_REDIRECT_URI_OOB, GDATA_TYPE_CALENDAR_SERVICE);
	gdata_oauth2_authorizer_request_authorization (authorizer, "any-code", NULL, &error);
	done (error);
	GDataCalendarService *service = gdata_calendar_service_new (GDATA_AUTHORIZER (authorizer));
	GDataFeed *calendars = gdata_calendar_service_query_own_calendars (service, NULL, NULL, NULL, NULL, &error);
	done (error);
	GDataCalendarCalendar *calendar = gdata_feed_get_entries (calendars)->data;
	g_assert_cmpstr (gdata_entry_get_title (GDATA_ENTRY (calendar)), ==, "user@example.com");

	GDataCalendarEvent *event = gdata_calendar_event_new (NULL);
	gdata_entry_set_title (GDATA_ENTRY (event), "Dentist");
	gdata_calendar_event_add_time (event, gdata_gd_when_new (start, start + hour, FALSE));
	gdata_calendar_event_add_place (event, gdata_gd_where_new (NULL, "Room 4", NULL));
	gdata_calendar_event_add_person (event, gdata_gd_who_new (GDATA_GD_WHO_EVENT_ATTENDEE, "Ada", "ada@example.com"));
	GDataCalendarEvent *stored = gdata_calendar_service_insert_calendar_event (service, calendar, event, NULL, &error);
	done (error);
	same (stored, "Dentist", start);
	same (find (service, calendar), "Dentist", start);

	gdata_entry_set_title (GDATA_ENTRY (stored), "Dentist moved");
	GDataAuthorizationDomain *domain = gdata_calendar_service_get_primary_authorization_domain ();
	GDataEntry *updated = gdata_service_update_entry (GDATA_SERVICE (service), domain, GDATA_ENTRY (stored), NULL, &error);
	done (error);
	same (GDATA_CALENDAR_EVENT (updated), "Dentist moved", start);
	same (find (service, calendar), "Dentist moved", start);

	gdata_service_delete_entry (GDATA_SERVICE (service), domain, updated, NULL, &error);
	done (error);
	GDataFeed *left = gdata_calendar_service_query_events (service, calendar, NULL, NULL, NULL, NULL, &error);
	done (error);
	g_assert_null (gdata_feed_get_entries (left));
	return 0;
}
