"""filter | mask | expand over trajectories, written plainly: what `perf/data-stages.mjs` is compared with.

Reads JSON lines of whole trajectories on standard input, writes samples on standard output. The same rules as the
package for synthetic text trajectories: undeclared tools, empty actions, fewer than two turns; the four statistics and
seven categories; one random target each, with everything before it.
"""
import json
import random
import re
import sys

WORD = re.compile(r"\w+")
KEEP = {"echo": 0.05, "boilerplate": 0.1, "transform": 0.5}


def statistics(action, observation):
    a = set(WORD.findall(action.lower()))
    o = set(WORD.findall(observation.lower()))
    shared = len(a & o)
    overlap = shared / len(a) if a else None
    novelty = (len(o) - shared) / len(o) if o else None
    union = len(a | o)
    jaccard = shared / union if union else None
    ratio = len(observation) / len(action) if action else None
    return overlap, novelty, jaccard, ratio


def category(overlap, novelty, action, observation):
    if novelty is None:
        return "other"
    ol = -1 if overlap is None else overlap
    if ol >= 0.7 and novelty < 0.3:
        return "echo"
    if ol >= 0.5 and novelty < 0.5:
        return "boilerplate"
    if novelty < 0.5 and len(observation) < len(action):
        return "transform"
    if novelty >= 0.6 and len(observation) > len(action):
        return "retrieval"
    if ol >= 0.5 and novelty >= 0.5 and len(observation) > 1.5 * len(action):
        return "expansion"
    if novelty >= 0.5 and (len(observation) <= len(action) or len(observation) <= 80):
        return "action"
    return "other"


def tool_names(text):
    try:
        return {tool["name"] for tool in json.loads(text)}
    except (ValueError, TypeError, KeyError):
        return None


def main():
    out = sys.stdout
    for line in sys.stdin:
        trajectory = json.loads(line)
        declared = tool_names(trajectory["system"].get("actionSpace", ""))
        turns = []
        ok = True
        for turn in trajectory["turns"]:
            if not turn["action"].strip():
                continue
            try:
                name = json.loads(turn["action"]).get("name")
            except ValueError:
                continue
            if declared is not None and name not in declared:
                ok = False
                break
            turns.append(turn)
        if not ok or len(turns) < 2:
            continue
        targets = []
        for i, turn in enumerate(turns):
            overlap, novelty, jaccard, ratio = statistics(turn["action"], turn["observation"])
            name = category(overlap, novelty, turn["action"], turn["observation"])
            keep = KEEP.get(name, 1)
            kept = random.Random(f"7|{trajectory['id']}|{i}").random() < keep if keep < 1 else True
            turn["training"] = {
                "mask": {
                    "category": name,
                    "keepRatio": keep,
                    "kept": kept,
                    "overlap": overlap,
                    "novelty": novelty,
                    "jaccard": jaccard,
                    "lengthRatio": ratio,
                }
            }
            if kept:
                targets.append(i)
        if not targets:
            continue
        last = random.Random(f"7|{trajectory['id']}").choice(targets)
        messages = [{"role": "system", "content": trajectory["system"]["text"]}]
        tokens = len(trajectory["system"]["text"]) // 4
        for i, turn in enumerate(turns[: last + 1]):
            mask = turn["training"]["mask"]
            messages.append({"role": "user", "content": turn["action"], "turn": i + 1})
            messages.append(
                {
                    "role": "assistant",
                    "content": turn["observation"],
                    "loss": i == last,
                    "keepRatio": mask["keepRatio"],
                    "category": mask["category"],
                    "turn": i + 1,
                }
            )
            tokens += (len(turn["action"]) + len(turn["observation"])) // 4
        sample = {
            "sample": 1,
            "id": f"{trajectory['id']}#t{last + 1}",
            "trajectory": trajectory["id"],
            "domain": trajectory["domain"],
            "source": trajectory["source"],
            "kind": "turn",
            "turn": last + 1,
            "totalTurns": len(turns),
            "messages": messages,
            "droppedTurns": 0,
            "tokens": {"total": tokens},
        }
        out.write(json.dumps(sample, ensure_ascii=False))
        out.write("\n")


main()
