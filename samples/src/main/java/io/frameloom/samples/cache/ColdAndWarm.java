package io.frameloom.samples.cache;

import io.frameloom.samples.demo.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures a cold start and two warm ones of a cache, each in a process of its own. So what a driver keeps in memory
 * does not help, and what it keeps on disk is switched off. The cache alone makes the difference.
 */
final class ColdAndWarm {
    private static final int WARM_STARTS = 2;
    private static final int TARGET = 10;
    private static final int TOO_SLOW = 3;
    private static final Pattern MILLIS = Pattern.compile("^\\d+ pipelines on .*?: ([0-9.]+) ms;");

    private final Path folder;
    private final int pipelines;
    private final String device;
    private final PrintWriter out;

    ColdAndWarm(Path folder, int pipelines, String device, PrintWriter out) {
        this.folder = folder;
        this.pipelines = pipelines;
        this.device = device;
        this.out = out;
    }

    /** Returns the exit code. */
    int measure() throws UsageException {
        if (Files.exists(folder)) {
            throw new UsageException(folder + " is there already; a cold start needs a new folder");
        }
        out.println("cold start:");
        double cold = start();
        double warm = Double.MAX_VALUE;
        for (int i = 0; i < WARM_STARTS; i++) {
            out.println("warm start:");
            warm = Math.min(warm, start());
        }
        out.printf(
                Locale.ROOT,
                "warm starts are %.1f times as fast (target: %d): %.1f ms against %.1f ms%n",
                cold / warm,
                TARGET,
                warm,
                cold);
        out.flush();
        return cold / warm < TARGET ? TOO_SLOW : 0;
    }

    private double start() throws UsageException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("io.frameloom.samples.Main", "cache", "measure", folder.toString()));
        command.addAll(List.of("--pipelines", Integer.toString(pipelines)));
        if (!device.isEmpty()) {
            command.addAll(List.of("--device", device));
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("__GL_SHADER_DISK_CACHE", "0");
        builder.environment().put("MESA_SHADER_CACHE_DISABLE", "true");
        try {
            Process process = builder.start();
            double millis = copy(process);
            int code = process.waitFor();
            if (code != 0 || millis < 0) {
                throw new UsageException("the measurement ended with exit code " + code);
            }
            return millis;
        } catch (IOException e) {
            throw new UsageException("a process for the measurement cannot be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UsageException("interrupted", e);
        }
    }

    /** Prints what a process prints, and returns the milliseconds that it says; negative if it says none. */
    private double copy(Process process) throws IOException {
        double millis = -1;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.println("  " + line);
                Matcher said = MILLIS.matcher(line);
                if (said.find()) {
                    millis = Double.parseDouble(said.group(1));
                }
            }
        }
        return millis;
    }
}
