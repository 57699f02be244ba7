"""An agent in Python's standard library that lives in a world of a running service.

Start the service first:  umwelt serve issue-tracker
Then:                      python3 agent.py [URL] [WORLD]

A step is sent again under its own request_id when the connection breaks, so it acts once.
"""

import json
import sys
import time
import urllib.error
import urllib.request
import uuid


class Episode:
    def __init__(self, url, world, token=None, **options):
        self.url, self.token = url.rstrip("/"), token
        self.facts = self._send("/episodes", {"world": world, **options})
        self.id = self.facts["id"]

    def step(self, tool, **arguments):
        action = {"name": tool, "arguments": arguments}
        return self._act("step", {"action": action})

    def finish(self, answer=None):
        return self._act("finish", {} if answer is None else {"answer": answer})

    def _act(self, what, body):
        body["request_id"] = str(uuid.uuid4())
        for attempt in range(5):
            try:
                return self._send(f"/episodes/{self.id}/{what}", body)
            except urllib.error.URLError:
                if attempt == 4:
                    raise
                time.sleep(0.2 * 2**attempt)

    def _send(self, path, body):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as refused:
            answer = json.load(refused)
            if "turn" in answer:  # a step without an observation: its status says why
                return answer
            raise RuntimeError(f"{answer['error']['code']}: {answer['error']['message']}") from None


if __name__ == "__main__":
    url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:7077"
    world = sys.argv[2] if len(sys.argv) > 2 else "issue-tracker"
    episode = Episode(url, world)
    tools = [tool["name"] for tool in episode.facts["actionSpace"]]
    print(f"{episode.facts['title']}: {len(tools)} tools")
    seen = episode.step(tools[0])
    print(seen["status"], seen["observation"][:60] if seen["observation"] else seen.get("reason"))
    end = episode.finish("I only looked around")
    print("done", end["done"], "reward", end["reward"])
