// A form for an event that is checked at each keystroke: react-hook-form calls the calrules schema through its resolver for
// Standard Schema.
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { createRoot } from "react-dom/client";
import { useForm } from "react-hook-form";
import { load } from "@calrules/calrules";

const calrules = await load();
const schema = calrules.schema({ dialect: "google", params: { sendUpdates: "all" } });

const fields = [
  ["summary", "Title"],
  ["start.date", "First day"],
  ["end.date", "Day after the last"],
  ["attendees.0.email", "Guest"],
  ["reminders.overrides.0.minutes", "Minutes before it"],
];

const empty = {
  summary: "",
  start: { date: "2026-03-10" },
  end: { date: "2026-03-11" },
  attendees: [{ email: "ada@example.com" }],
  reminders: { useDefault: false, overrides: [{ method: "popup", minutes: 10 }] },
};

function EventForm() {
  const { register, handleSubmit, formState, getFieldState } = useForm({ resolver: standardSchemaResolver(schema), mode: "onChange", defaultValues: empty });
  return (
    <form onSubmit={handleSubmit((event) => (document.title = JSON.stringify(event)))}>
      {fields.map(([name, label]) => (
        <p key={name}>
          <label>
            {label} <input {...register(name, name.endsWith("minutes") ? { valueAsNumber: true } : {})} />
          </label>{" "}
          <output data-for={name}>{getFieldState(name, formState).error?.message}</output>
        </p>
      ))}
      <button>Send</button>
    </form>
  );
}

createRoot(document.getElementById("form")).render(<EventForm />);
