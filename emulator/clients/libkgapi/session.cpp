// Calls the public service with libkgapi. It ends with a message if an answer is not as expected.
#include <KGAPI/Account>
#include <KGAPI/Calendar/Calendar>
#include <KGAPI/Calendar/CalendarCreateJob>
#include <KGAPI/Calendar/CalendarDeleteJob>
#include <KGAPI/Calendar/CalendarFetchJob>
#include <KGAPI/Calendar/Event>
#include <KGAPI/Calendar/EventCreateJob>
#include <KGAPI/Calendar/EventDeleteJob>
#include <KGAPI/Calendar/EventFetchJob>
#include <KGAPI/Calendar/EventModifyJob>
#include <KGAPI/Calendar/EventMoveJob>
#include <KGAPI/Calendar/FreeBusyQueryJob>
#include <QCoreApplication>
#include <QEventLoop>
#include <QNetworkProxy>
#include <QSslConfiguration>
#include <QTimeZone>
#include <QUrl>

using namespace KGAPI2;

// check ends the program unless a condition holds.
static void check(bool holds, const char *what)
{
    if (!holds) {
        qFatal("%s", what);
    }
}

// wait waits for a job, which must succeed.
template<typename Job> static Job *wait(Job *job)
{
    QEventLoop loop;
    QObject::connect(job, &KGAPI2::Job::finished, &loop, &QEventLoop::quit);
    loop.exec();
    check(job->error() == KGAPI2::NoError, qPrintable(job->errorString()));
    return job;
}

// only returns the only item of a job that fetches.
template<typename Item> static QSharedPointer<Item> only(const ObjectsList &items)
{
    check(items.size() == 1, "there is not one item");
    return items.first().dynamicCast<Item>();
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QUrl proxy(qEnvironmentVariable("HTTPS_PROXY"));
    if (proxy.isValid()) {
        QNetworkProxy::setApplicationProxy({QNetworkProxy::HttpProxy, proxy.host(), quint16(proxy.port())});
    }
    auto tls = QSslConfiguration::defaultConfiguration();
    tls.addCaCertificates(qEnvironmentVariable("CERTIFICATE"));
    QSslConfiguration::setDefaultConfiguration(tls);
    const AccountPtr account(new Account("user@example.com", "any", "1//any", {Account::calendarScopeUrl()}));
    const QDateTime start(QDate(2026, 3, 10), QTime(9, 0), QTimeZone("Europe/Berlin"));

    const auto primary = only<Calendar>(wait(new CalendarFetchJob(account))->items())->uid();
    const CalendarPtr draft(new Calendar);
    draft->setTitle("Team");
    draft->setTimezone("Europe/Berlin");
    const auto team = only<Calendar>(wait(new CalendarCreateJob(draft, account))->items());
    check(team->title() == "Team" && team->timezone() == "Europe/Berlin", "the calendar differs");

    const EventPtr event(new Event);
    event->setSummary("Standup");
    event->setLocation("Room 4");
    event->setDtStart(start);
    event->setDtEnd(start.addSecs(900));
    KCalendarCore::Attendee ada("Ada", "ada@example.com");
    ada.setUid("ada"); // otherwise the id is random
    event->addAttendee(ada);
    event->recurrence()->setDaily(1);
    event->recurrence()->setDuration(3);
    const auto stored = only<Event>(wait(new EventCreateJob(event, team->uid(), account))->items());
    const auto read = only<Event>(wait(new EventFetchJob(stored->id(), team->uid(), account))->items());
    check(*read == *stored, "the event differs from what was stored");
    check(read->summary() == "Standup" && read->location() == "Room 4" && read->dtStart() == start, "the event differs");
    check(read->recurrence()->duration() == 3 && read->attendees().first().email() == "ada@example.com", "the series differs");

    read->setSummary("Daily");
    const auto modified = only<Event>(wait(new EventModifyJob(read, team->uid(), account))->items());
    check(modified->summary() == "Daily" && modified->recurrence()->duration() == 3, "the modified event differs");
    auto busy = wait(new FreeBusyQueryJob(team->uid(), start.addDays(-1), start.addDays(9), account));
    check(busy->busy().size() == 3, "there are not three busy times");

    wait(new EventMoveJob(modified, team->uid(), primary, account));
    check(only<Event>(wait(new EventFetchJob(primary, account))->items())->summary() == "Daily", "the event has not moved");
    wait(new EventDeleteJob(modified, primary, account, nullptr));
    auto *left = new EventFetchJob(primary, account);
    left->setFetchDeleted(false);
    check(wait(left)->items().isEmpty(), "the event is not deleted");
    wait(new CalendarDeleteJob(team, account, nullptr));
    return 0;
}
