package io.frameloom.rdg.tools.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.tools.PlanDiff;
import io.frameloom.taskgraph.trace.TraceRecorder;
import io.frameloom.testing.ChromeTrace;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.BindException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What browsers get, and those that are none. */
@Timeout(90)
class LiveServerTest {
    private final TraceRecorder trace = new TraceRecorder();
    private LiveState state;
    private LiveServer server;

    @BeforeEach
    void open() throws IOException {
        state = new LiveState(trace, "a <device>");
        server = LiveServer.open(0, state, LiveServer.PATIENCE);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static FrameStatistics statistics(long frame) {
        return new FrameStatistics(
                frame, 1_000_000, 2_000_000, 3_000_000, 4, 5, 0, 6, 0, 7, List.of(), List.of(), List.of());
    }

    private void frame(long number, long nanos) throws IOException {
        state.frame(statistics(number), 0, nanos, nanos, 0);
    }

    private Socket ask(String head) throws IOException {
        Socket socket =
                new Socket(InetAddress.getByName("127.0.0.1"), server.address().getPort());
        socket.getOutputStream().write((head + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private Socket look() throws IOException {
        return ask("GET /events HTTP/1.1\r\nHost: 127.0.0.1");
    }

    /** Returns the first line and the headers of an answer. */
    private String head(String request) throws IOException {
        try (Socket socket = ask(request)) {
            return head(reader(socket));
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static String head(BufferedReader in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    /** Reads until a line that begins so. */
    private static String line(BufferedReader in, String beginning) throws IOException {
        String line = in.readLine();
        while (line != null && !line.startsWith(beginning)) {
            line = in.readLine();
        }
        return String.valueOf(line);
    }

    @Test
    void answersBrowsersOfThisMachineAlone() throws IOException {
        for (String host : List.of("127.0.0.1", "localhost:8080", "[::1]:1")) {
            assertThat(head("GET / HTTP/1.1\r\nHost: " + host))
                    .startsWith("HTTP/1.1 200 ")
                    .containsIgnoringCase("Content-Security-Policy: default-src 'none'")
                    .containsIgnoringCase("Cross-Origin-Resource-Policy: same-origin");
        }
        for (String host :
                List.of("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "10.0.0.1")) {
            assertThat(head("GET / HTTP/1.1\r\nHost: " + host)).startsWith("HTTP/1.1 403 ");
            assertThat(head("GET /events HTTP/1.1\r\nHost: " + host)).startsWith("HTTP/1.1 403 ");
        }
        assertThat(head("GET / HTTP/1.0")).startsWith("HTTP/1.1 403 ");
        assertThat(server.address().getHost()).isEqualTo("127.0.0.1");
    }

    @Test
    void listensAtTheLoopbackAddressAlone() throws IOException {
        for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(network.getInetAddresses())) {
                if (!address.isLoopbackAddress()) {
                    assertThatThrownBy(
                                    () -> new Socket(address, server.address().getPort()).close())
                            .isInstanceOf(IOException.class);
                }
            }
        }
    }

    @Test
    void hasNothingToChangeAndNoOtherFiles() throws IOException {
        for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS")) {
            assertThat(head(method + " / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0"))
                    .startsWith("HTTP/1.1 405 ");
        }
        for (String path : List.of("/live.html", "/../live.js", "/frame-1.json", "/frame-x.json", "/favicon.ico")) {
            assertThat(head("GET " + path + " HTTP/1.1\r\nHost: localhost")).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void aPortThatIsTakenIsRefused() {
        assertThatThrownBy(() -> LiveServer.open(server.address().getPort(), state, LiveServer.PATIENCE))
                .isInstanceOf(BindException.class);
    }

    @Test
    void pagesGetWhatIsKnownAndWhatFollows() throws IOException {
        frame(1, 16_000_000);
        try (Socket socket = look()) {
            BufferedReader in = reader(socket);
            assertThat(line(in, "event: ")).isEqualTo("event: history");
            assertThat(in.readLine()).startsWith("data: [{\"frame\":1,\"millis\":16.0");
            assertThat(line(in, "event: device")).isEqualTo("event: device");
            assertThat(in.readLine()).isEqualTo("data: {\"name\":\"a <device>\"}");
            frame(2, 17_000_000);
            assertThat(line(in, "event: frame")).isEqualTo("event: frame");
            assertThat(in.readLine()).startsWith("data: {\"frame\":2,\"millis\":17.0");
        }
    }

    @Test
    void manyPagesLookAndNoMore() throws IOException {
        List<Socket> pages = new ArrayList<>();
        try {
            List<BufferedReader> readers = new ArrayList<>();
            for (int i = 0; i < LiveServer.MOST_CLIENTS; i++) {
                pages.add(look());
                readers.add(reader(pages.get(i)));
                assertThat(head(readers.get(i))).startsWith("HTTP/1.1 200 ");
                line(readers.get(i), "event: device");
            }
            assertThat(head("GET /events HTTP/1.1\r\nHost: localhost")).startsWith("HTTP/1.1 503 ");
            frame(9, 1_000_000);
            for (BufferedReader in : readers) {
                assertThat(line(in, "data: {\"frame\":9")).startsWith("data: {\"frame\":9");
            }
        } finally {
            for (Socket page : pages) {
                page.close();
            }
        }
        // Their places are free again when writing to them has failed.
        String answer = "HTTP/1.1 503 ";
        while (answer.startsWith("HTTP/1.1 503 ")) {
            frame(10, 1_000_000);
            answer = head("GET /events HTTP/1.1\r\nHost: localhost");
        }
        assertThat(answer).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void aPageThatDoesNotReadIsDroppedAndHoldsUpNobody() throws IOException {
        try (Socket slow = look();
                Socket other = look()) {
            BufferedReader in = reader(other);
            line(in, "event: device");
            line(reader(slow), "event: device");
            assertThat(state.clients()).isEqualTo(2);
            List<PlanDiff.Change> changes =
                    List.of(new PlanDiff.Change(PlanDiff.Subject.PASS, "x".repeat(200_000), null, null));
            long sent = 0;
            String said = "";
            // The kernel takes some megabytes for a page, then its thread is stuck, then its queue is full.
            while (said != null && state.clients() == 2) {
                sent++;
                state.planChanged(sent, changes);
                said = line(in, "data: {\"frame\":" + sent + ",");
            }
            assertThat(said).startsWith("data: {\"frame\":" + sent + ",");
            assertThat(sent).isGreaterThan(LiveClient.MOST_PENDING);
        }
    }

    /** Each holds a thread, of which there are a few. */
    @Test
    void requestsThatNeverEndShutNobodyOut() throws Exception {
        server.close();
        BlockingQueue<Runnable> deadlines = new LinkedBlockingQueue<>();
        server = LiveServer.open(0, state, deadlines::add);
        List<Socket> stuck = new ArrayList<>();
        try (Socket page = look()) {
            BufferedReader in = reader(page);
            line(in, "event: device");
            Runnable ofPage = deadlines.take();
            for (int i = 1; i < LiveServer.MOST_THREADS; i++) {
                Socket socket = new Socket(
                        InetAddress.getByName("127.0.0.1"), server.address().getPort());
                socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.ISO_8859_1));
                stuck.add(socket);
            }
            List<Runnable> ofStuck = new ArrayList<>();
            for (int i = 0; i < stuck.size(); i++) {
                ofStuck.add(deadlines.take());
            }
            // It waits until one of them gives its thread back.
            try (Socket good = ask("GET / HTTP/1.1\r\nHost: localhost")) {
                ofStuck.forEach(Runnable::run);
                for (Socket socket : stuck) {
                    assertThat(ended(socket)).isTrue();
                }
                assertThat(head(reader(good))).startsWith("HTTP/1.1 200 ");
            }
            // A page may look for longer.
            ofPage.run();
            frame(9, 1_000_000);
            assertThat(line(in, "data: {\"frame\":9")).startsWith("data: {\"frame\":9");
        } finally {
            for (Socket socket : stuck) {
                socket.close();
            }
        }
    }

    /** Waits until the server has closed a connection without a word. */
    private static boolean ended(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void whatIsKeptIsBounded() throws IOException {
        // Each is the worst so far, so its trace is kept.
        int frames = LiveState.HISTORY + 100;
        for (int i = 1; i <= frames; i++) {
            trace.span("GPU", "graphics", "pass", i, 1, Map.of("frame", i));
            frame(i, i);
        }
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                server.address().resolve("events").toURL().openStream(), StandardCharsets.UTF_8))) {
            line(in, "event: history");
            String history = in.readLine();
            assertThat(history.split("\"frame\":", -1)).hasSize(1 + LiveState.HISTORY);
            assertThat(history).startsWith("data: [{\"frame\":" + (frames - LiveState.HISTORY + 1) + ",");
        }
        assertThat(state.worst().frames())
                .hasSize(WorstFrames.MOST)
                .first()
                .satisfies(worst -> assertThat(worst.number()).isEqualTo(frames));
    }

    @Test
    void aTraceThatIsTooLargeIsNotKept() throws IOException {
        Bounded bytes = new Bounded(3);
        bytes.write(new byte[] {1, 2}, 0, 2);
        assertThatThrownBy(() -> bytes.write(new byte[] {3, 4}, 0, 2)).hasMessage("more than 3 bytes");
        bytes.write(5);
        assertThat(bytes.toByteArray()).containsExactly(1, 2, 5);
    }

    @Test
    void theTracesOfWorstFramesCanBeHad() throws IOException {
        long start = System.nanoTime();
        trace.span("GPU", "graphics", "the pass", start, 10, Map.of("frame", 7));
        state.frame(statistics(7), start - 5, start, start + 20, 0);
        String request = "GET /frame-7.json HTTP/1.1\r\nHost: localhost\r\nConnection: close";
        try (Socket socket = ask(request)) {
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 200 ");
            ChromeTrace viewed = ChromeTrace.of(answer.substring(answer.indexOf("\r\n\r\n")));
            assertThat(viewed.spans()).extracting(ChromeTrace.Span::name).contains("the pass");
        }
        try (Socket socket = ask(request + "\r\nAccept-Encoding: deflate, gzip")) {
            byte[] answer = socket.getInputStream().readAllBytes();
            String text = new String(answer, StandardCharsets.ISO_8859_1);
            int body = text.indexOf("\r\n\r\n") + 4;
            assertThat(text.substring(0, body)).startsWith("HTTP/1.1 200 ").containsIgnoringCase("attachment");
            try (InputStream json = new GZIPInputStream(new ByteArrayInputStream(answer, body, answer.length - body))) {
                assertThat(new String(json.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("\"the pass\"");
            }
        }
    }
}
