import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Stores an event in the public service, as far as it knows. */
class YourProgram {
  public static void main(String[] args) throws Exception {
    var events = URI.create("https://www.googleapis.com/calendar/v3/calendars/primary/events").toURL();
    var call = (HttpURLConnection) events.openConnection();
    call.setDoOutput(true); // the method is POST
    call.setRequestProperty("Content-Type", "application/json");
    var event = "{\"summary\":\"from Java\",\"start\":{\"date\":\"2026-03-10\"},\"end\":{\"date\":\"2026-03-11\"}}";
    call.getOutputStream().write(event.getBytes(StandardCharsets.UTF_8));
    if (call.getResponseCode() != 200) {
      throw new Exception("the answer is " + call.getResponseCode());
    }
  }
}
