/**
 * Prints the closing line of a test run, `N passed, N failed`, from vitest's JSON report.
 *
 * Usage: node scripts/test-summary.mjs REPORT.json. A test file that could not be loaded counts as one failure,
 * though it holds no test that failed. Without a report the run did not finish: one failure, said so.
 */
import { readFileSync } from 'node:fs';

function count(path) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const unloaded = report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0);
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

let result = { passed: 0, failed: 1 };
try {
  result = count(process.argv[2]);
} catch (error) {
  console.error(`no readable test report: ${error.message}`);
}
console.log(`${result.passed} passed, ${result.failed} failed`);
process.exitCode = result.failed > 0 ? 1 : 0;
