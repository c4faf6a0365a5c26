package io.frameloom.rdg.tools.live;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page of a {@link LiveState} to browsers of this machine. It is bound to the loopback address, and answers
 * only those who name that: a page of the internet whose name leads here gets nothing. There is nothing to write to.
 */
final class LiveServer implements AutoCloseable {
    /** Pages that may look at the same time. */
    static final int MOST_CLIENTS = 32;

    static final int MOST_THREADS = MOST_CLIENTS + 16;

    /**
     * Runs after 30 s what ends a request: so long may it take to arrive, and its answer to be read. The JDK's server ends
     * silent connections after the same time.
     */
    static final Executor PATIENCE = CompletableFuture.delayedExecutor(30, TimeUnit.SECONDS, Runnable::run);

    private static final Map<String, String> FILES = Map.of(
            "/", "live.html",
            "/live.css", "live.css",
            "/live.js", "live.js");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8");

    private final HttpServer server;
    private final LiveState state;
    private final ThreadPoolExecutor threads;
    private final Set<LiveClient> clients = ConcurrentHashMap.newKeySet();
    private final AtomicInteger places = new AtomicInteger(MOST_CLIENTS);
    private final Map<Thread, Deadline> deadlines = new ConcurrentHashMap<>();
    private final Executor patience;

    private LiveServer(HttpServer server, LiveState state, Executor patience) {
        this.server = server;
        this.state = state;
        this.patience = patience;
        threads = new ThreadPoolExecutor(
                MOST_THREADS, MOST_THREADS, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, "frameloom-live-client");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        server.setExecutor(request -> threads.execute(() -> inTime(request)));
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Opens a server.
     *
     * @param patience runs later what ends a request that is not whole by then or whose answer is not read
     * @throws IOException if the port is not to be had
     */
    static LiveServer open(int port, LiveState state, Executor patience) throws IOException {
        return new LiveServer(
                HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 0),
                state,
                patience);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    @Override
    public void close() {
        clients.forEach(LiveClient::drop);
        server.stop(0);
        threads.shutdownNow();
    }

    /** Reads and answers a request on the calling thread, and interrupts it if that takes too long. */
    private void inTime(Runnable request) {
        Deadline deadline = new Deadline();
        deadlines.put(Thread.currentThread(), deadline);
        patience.execute(deadline::pass);
        try {
            request.run();
        } finally {
            deadlines.remove(Thread.currentThread());
            deadline.lift();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!isLoopback(exchange.getRequestHeaders().getFirst("Host"))) {
                refuse(exchange, 403, "this page is for browsers of this machine, at " + address());
            } else if (!exchange.getRequestMethod().equals("GET")) {
                refuse(exchange, 405, "there is nothing to change here");
            } else {
                serve(exchange, exchange.getRequestURI().getPath());
            }
        }
    }

    /** Returns whether a request names the loopback address, and no name that a stranger may lead here. */
    static boolean isLoopback(@Nullable String host) {
        return host != null && host.matches("(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]{1,5})?");
    }

    private void serve(HttpExchange exchange, String path) throws IOException {
        String file = FILES.get(path);
        if (file != null) {
            try (InputStream in = Objects.requireNonNull(LiveServer.class.getResourceAsStream(file), file)) {
                String type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
                send(exchange, 200, Objects.requireNonNull(type), in.readAllBytes());
            }
        } else if (path.equals("/events")) {
            events(exchange);
        } else if (path.matches("/frame-[0-9]{1,18}\\.json")) {
            trace(exchange, Long.parseLong(path.substring(7, path.length() - 5)));
        } else {
            refuse(exchange, 404, "there is no " + path.replaceAll("[^ -~]", "?"));
        }
    }

    private void trace(HttpExchange exchange, long number) throws IOException {
        for (WorstFrames.Frame frame : state.worst().frames()) {
            byte[] trace = frame.trace();
            if (frame.number() == number && trace != null) {
                Headers headers = exchange.getResponseHeaders();
                headers.set("Content-Disposition", "attachment; filename=\"frame-" + number + ".json\"");
                String encodings = exchange.getRequestHeaders().getFirst("Accept-Encoding");
                if (encodings != null && encodings.contains("gzip")) {
                    headers.set("Content-Encoding", "gzip");
                    send(exchange, 200, "application/json", trace);
                } else {
                    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(trace))) {
                        send(exchange, 200, "application/json", in.readAllBytes());
                    }
                }
                return;
            }
        }
        refuse(exchange, 404, "frame " + number + " is none of the worst frames any more");
    }

    private void events(HttpExchange exchange) throws IOException {
        if (places.getAndDecrement() <= 0) {
            places.incrementAndGet();
            refuse(exchange, 503, MOST_CLIENTS + " pages look already; close one");
            return;
        }
        // A page looks as long as it likes, and has rules of its own.
        Objects.requireNonNull(deadlines.get(Thread.currentThread())).lift();
        LiveClient client = new LiveClient();
        clients.add(client);
        try {
            head(exchange, "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            state.add(client);
            client.serve(exchange.getResponseBody());
        } finally {
            state.remove(client);
            clients.remove(client);
            places.incrementAndGet();
            client.leave();
        }
    }

    private static void refuse(HttpExchange exchange, int code, String why) throws IOException {
        send(exchange, code, "text/plain; charset=utf-8", (why + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int code, String type, byte[] body) throws IOException {
        head(exchange, type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(code, -1);
            return;
        }
        exchange.sendResponseHeaders(code, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static void head(HttpExchange exchange, String type) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none';"
                        + " form-action 'none'; frame-ancestors 'none'");
    }
}
