package io.frameloom.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A browser that stays open, for pages that change by themselves: {@link Chromium}, steered by the DevTools protocol. It
 * reaches addresses of this machine only. One thread.
 */
public final class Browser implements AutoCloseable {
    private static final int SECONDS = 60;
    private static final int MILLIS_BETWEEN_LOOKS = 50;

    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final List<String> complaints = new ArrayList<>();
    private int calls;

    private Browser(Process process, URI page) {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(page, new Listener())
                .join();
    }

    /** Puts messages together. */
    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                received.add(text.toString());
                text.setLength(0);
            }
            return WebSocket.Listener.super.onText(from, part, last);
        }
    }

    /**
     * Opens the browser of the path, on an empty page.
     *
     * @param folder where it may leave files
     */
    public static Browser in(Path folder) throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory(folder, "profile");
        Process process = Chromium.in(folder).start(profile, List.of("--remote-debugging-port=0", "about:blank"));
        try {
            Path said = profile.resolve("DevToolsActivePort");
            for (int i = 0; !Files.exists(said) || Files.readAllLines(said).size() < 2; i++) {
                if (i * MILLIS_BETWEEN_LOOKS > SECONDS * 1000) {
                    throw new IOException("the browser has not said where it listens");
                }
                Thread.sleep(MILLIS_BETWEEN_LOOKS);
            }
            String port = Files.readAllLines(said).get(0);
            try (InputStream list =
                    URI.create("http://127.0.0.1:" + port + "/json").toURL().openStream()) {
                for (Object target :
                        (List<?>) JsonText.parse(new String(list.readAllBytes(), StandardCharsets.UTF_8))) {
                    Map<?, ?> page = (Map<?, ?>) target;
                    if ("page".equals(page.get("type"))) {
                        Browser browser = new Browser(process, URI.create(text(page, "webSocketDebuggerUrl")));
                        browser.call("Page.enable", "{}");
                        browser.call("Runtime.enable", "{}");
                        browser.call("Log.enable", "{}");
                        return browser;
                    }
                }
            }
            throw new IOException("the browser has no page");
        } catch (IOException | InterruptedException | RuntimeException failure) {
            end(process);
            throw failure;
        }
    }

    /** Goes to an address. */
    public void go(URI address) throws IOException, InterruptedException {
        call("Page.navigate", "{\"url\":\"" + address + "\"}");
    }

    /** Sets how large the window is, and whether it prefers dark colours. */
    public void look(int width, int height, boolean dark) throws IOException, InterruptedException {
        call(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\":" + width + ",\"height\":" + height + ",\"deviceScaleFactor\":1,\"mobile\":false}");
        call(
                "Emulation.setEmulatedMedia",
                "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + (dark ? "dark" : "light") + "\"}]}");
    }

    /** Returns the value of an expression of the page's script, as text. */
    public String evaluate(String expression) throws IOException, InterruptedException {
        String quoted = expression.replace("\\", "\\\\").replace("\"", "\\\"");
        Map<?, ?> result = call("Runtime.evaluate", "{\"expression\":\"String(" + quoted + ")\"}");
        return result.get("result") instanceof Map<?, ?> value ? text(value, "value") : "";
    }

    /** Waits until an expression of the page's script is true. */
    public void until(String expression) throws IOException, InterruptedException {
        for (int i = 0; !evaluate(expression).equals("true"); i++) {
            if (i * MILLIS_BETWEEN_LOOKS > SECONDS * 1000) {
                throw new AssertionError("not so after " + SECONDS + " s: " + expression);
            }
            Thread.sleep(MILLIS_BETWEEN_LOOKS);
        }
    }

    /** Writes a picture of the window as PNG. */
    public void picture(Path file) throws IOException, InterruptedException {
        Map<?, ?> result = call("Page.captureScreenshot", "{}");
        Files.write(file, Base64.getDecoder().decode(text(result, "data")));
    }

    /** Returns what the console has said, and errors of scripts. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    private static String text(Map<?, ?> message, String key) {
        return String.valueOf(message.get(key));
    }

    private Map<?, ?> call(String method, String parameters) throws IOException, InterruptedException {
        calls++;
        socket.sendText("{\"id\":" + calls + ",\"method\":\"" + method + "\",\"params\":" + parameters + "}", true)
                .join();
        while (true) {
            String text = received.poll(SECONDS, TimeUnit.SECONDS);
            if (text == null) {
                throw new IOException("the browser does not answer " + method);
            }
            Map<?, ?> message = (Map<?, ?>) JsonText.parse(text);
            Object event = message.get("method");
            if ("Runtime.exceptionThrown".equals(event) || "Log.entryAdded".equals(event)) {
                complaints.add(text);
            }
            if (Double.valueOf(calls).equals(message.get("id"))) {
                if (message.get("result") instanceof Map<?, ?> result) {
                    return result;
                }
                throw new IOException("the browser refuses " + method + ": " + text);
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        socket.abort();
        end(process);
    }

    private static void end(Process process) throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }
}
