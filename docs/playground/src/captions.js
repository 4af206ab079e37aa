/** The captions of the good and the bad example of a rule, by its kind; those of a rule that can be broken are "". */
export const captions = {
  "": ["Keeps the rule", "Breaks the rule"],
  unspecified: ["Specified", "Not specified"],
  decide: ["At work", "Does not apply"],
  default: ["At work", "Does not apply"],
  effect: ["At work", "Does not apply"],
};
