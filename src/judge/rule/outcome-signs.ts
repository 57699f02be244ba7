/**
 * Whether an observation tells of success or of failure: what an agent goes by first.
 *
 * Signs are words and forms that environments use: `Error`, tracebacks, `command not found`, HTTP status, exit codes,
 * `isError` and `success` members. Only what is found is told; without a sign the outcome is `unknown`. Not covered:
 * languages other than English.
 */

/** What an observation says of its action. */
export interface OutcomeSigns {
  readonly outcome: 'failure' | 'success' | 'unknown';
  /** The exit code or HTTP status that stands in it. */
  readonly code: string | null;
}

/** Texts are looked at up to here from each end. */
const LOOKED_AT = 20_000;

const FAILURE =
  /(?:^|\n)[ \t]*(?:\w{0,60}(?:Error|Exception)\b(?:[:( ]|$)|error:|fatal:|Traceback \(most recent call last\))|\b(?:command not found|No such file or directory|Permission denied|not recognized as|cannot (?:access|open|stat|remove|create)|failed with|FAILED|Segmentation fault|Killed|timed? ?out|refused|Unauthori[sz]ed|Forbidden|Not Found)\b|"(?:is_?error|isError)"\s*:\s*true|"(?:success|ok)"\s*:\s*false|"status"\s*:\s*"(?:error|failed|failure)"|"error"\s*:\s*(?:"|\{)/;
const SUCCESS =
  /"(?:success|ok)"\s*:\s*true|"status"\s*:\s*"(?:ok|success|completed|succeeded)"|\b(?:successfully|completed|succeeded|passed|created|updated|deleted|saved|Done)\b/;
const CODE =
  /\b(?:exit(?:ed)?(?: with)?(?: code| status)?|return ?code|exit_code|exitCode|status ?code|HTTP(?:\/[\d.]+)?|status)"?\s*[:= ]\s*"?(-?\d{1,3})\b/i;

/** Reads the signs of an observation. */
export function outcomeSigns(text: string): OutcomeSigns {
  const looked =
    text.length <= 2 * LOOKED_AT ? text : `${text.slice(0, LOOKED_AT)}\n${text.slice(-LOOKED_AT)}`;
  const code = CODE.exec(looked)?.[1] ?? null;
  const failed = FAILURE.test(looked) || (code !== null && code !== '0' && !/^[123]\d\d$/.test(code));
  if (failed) return { outcome: 'failure', code };
  const succeeded = SUCCESS.test(looked) || code === '0';
  return { outcome: succeeded ? 'success' : 'unknown', code };
}
