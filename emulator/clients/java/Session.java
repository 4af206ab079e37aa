import com.google.api.client.googleapis.MethodOverride;
import com.google.api.client.googleapis.auth.oauth2.GoogleCredential;
import com.google.api.client.googleapis.batch.BatchCallback;
import com.google.api.client.googleapis.batch.BatchRequest;
import com.google.api.client.googleapis.json.GoogleJsonErrorContainer;
import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpRequestFactory;
import com.google.api.client.http.HttpResponseException;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.http.json.JsonHttpContent;
import com.google.api.client.json.GenericJson;
import com.google.api.client.json.JsonObjectParser;
import com.google.api.client.json.jackson2.JacksonFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Calls the public service with the core of the official Java client. It throws if an answer is not as expected. */
class Session {
  static final String EVENTS = "https://www.googleapis.com/calendar/v3/calendars/primary/events";
  static final JacksonFactory JSON = JacksonFactory.getDefaultInstance();
  static HttpRequestFactory requests;

  public static void main(String[] args) throws Exception {
    var transport = new NetHttpTransport();
    var credential = new GoogleCredential.Builder().setTransport(transport).setJsonFactory(JSON).setClientSecrets("id", "secret").build();
    credential.setRefreshToken("1//any");
    requests = transport.createRequestFactory(request -> {
      credential.initialize(request);
      request.setInterceptor(r -> {
        credential.intercept(r);
        new MethodOverride().intercept(r); // the transport has no PATCH
      });
      request.setParser(new JsonObjectParser(JSON));
    });

    var event = call("POST", "", event("Review", 9, 10));
    same("confirmed", event.get("status"));
    same(event, call("GET", "/" + event.get("id"), null));
    var patched = call("PATCH", "/" + event.get("id"), Map.of("location", "Room 4"));
    same("Review in Room 4", patched.get("summary") + " in " + patched.get("location"));
    refused(400, "timeRangeEmpty", "POST", "", event("Backwards", 10, 9));
    refused(404, "notFound", "GET", "/nosuchevent", null);

    var batch = new BatchRequest(transport, credential).setBatchUrl(new GenericUrl("https://www.googleapis.com/batch/calendar/v3"));
    var answers = new ArrayList<Object>();
    queue(batch, request("POST", "", event("Lunch", 12, 13)), answers);
    queue(batch, request("GET", "/" + event.get("id"), null), answers);
    queue(batch, request("GET", "/nosuchevent", null), answers);
    batch.execute();
    same("Lunch", ((GenericJson) answers.get(0)).get("summary"));
    same(patched, answers.get(1));
    same(404, answers.get(2));

    request("DELETE", "/" + event.get("id"), null).execute().disconnect();
    var left = (List<?>) call("GET", "?orderBy=startTime&singleEvents=true", null).get("items");
    same(List.of(new HashMap<>((GenericJson) answers.get(0))), left);
  }

  static Map<String, Object> event(String summary, int start, int end) {
    return Map.of("summary", summary, "start", time(start), "end", time(end));
  }

  static Map<String, Object> time(int hour) {
    return Map.of("dateTime", "2026-03-11T%02d:00:00Z".formatted(hour), "timeZone", "UTC");
  }

  static HttpRequest request(String method, String path, Map<String, Object> body) throws Exception {
    return requests.buildRequest(method, new GenericUrl(EVENTS + path), body == null ? null : new JsonHttpContent(JSON, body));
  }

  static GenericJson call(String method, String path, Map<String, Object> body) throws Exception {
    return request(method, path, body).execute().parseAs(GenericJson.class);
  }

  static void refused(int status, String reason, String method, String path, Map<String, Object> body) throws Exception {
    try {
      call(method, path, body);
    } catch (HttpResponseException e) {
      same(status, e.getStatusCode());
      var error = JSON.fromString(e.getContent(), GoogleJsonErrorContainer.class).getError();
      same(reason, error.getErrors().get(0).getReason());
      return;
    }
    throw new AssertionError("not refused");
  }

  /** Adds a request to a batch. Its answer, or the status of its refusal, is added to answers. */
  static void queue(BatchRequest batch, HttpRequest request, List<Object> answers) throws Exception {
    batch.queue(request, GenericJson.class, GoogleJsonErrorContainer.class, new BatchCallback<GenericJson, GoogleJsonErrorContainer>() {
      public void onSuccess(GenericJson answer, HttpHeaders headers) {
        answers.add(answer);
      }

      public void onFailure(GoogleJsonErrorContainer refusal, HttpHeaders headers) {
        answers.add(refusal.getError().getCode());
      }
    });
  }

  static void same(Object want, Object got) {
    if (!Objects.equals(want, got)) {
      throw new AssertionError("got " + got + ", want " + want);
    }
  }
}
