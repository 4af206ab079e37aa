// For CommonJS.
const { load } = require("@calrules/calrules");

load().then(async (calrules) => {
  const { answer } = await import("./answer.js");
  console.log(answer(calrules));
});
