package io.frameloom.samples.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files with graphs in a folder: one that has a plan, one with an error, and one that ends too early. */
final class PlanFiles {
    private static final String QUEUES =
            "\"queues\":[{\"id\":\"G\",\"family\":0,\"caps\":[\"graphics\",\"compute\",\"copy\"]},"
                    + "{\"id\":\"C\",\"family\":1,\"caps\":[\"compute\",\"copy\"]}],";
    static final String GRAPH = "{\"schema\":\"rdg-case/1\",\"id\":\"ao\"," + QUEUES + "\"resources\":["
            + "{\"id\":\"depth\",\"kind\":\"texture\",\"bytes\":64},{\"id\":\"ao\",\"kind\":\"texture\",\"bytes\":64},"
            + "{\"id\":\"debug\",\"kind\":\"texture\",\"bytes\":64},"
            + "{\"id\":\"out\",\"kind\":\"texture\",\"lifetime\":\"external\"}],\"passes\":["
            + "{\"id\":\"Pre\",\"kind\":\"raster\",\"queue\":\"G\",\"uses\":[{\"r\":\"depth\",\"a\":\"depthWrite\"}]},"
            + "{\"id\":\"SSAO\",\"kind\":\"compute\",\"queue\":\"C\",\"uses\":[{\"r\":\"depth\",\"a\":\"sampledComp\"},"
            + "{\"r\":\"ao\",\"a\":\"storageWriteComp\"}]},"
            + "{\"id\":\"Debug\",\"kind\":\"raster\",\"queue\":\"G\",\"uses\":[{\"r\":\"debug\",\"a\":\"colorWrite\"}]},"
            + "{\"id\":\"Light\",\"kind\":\"raster\",\"queue\":\"G\",\"uses\":[{\"r\":\"ao\",\"a\":\"sampledFrag\"},"
            + "{\"r\":\"out\",\"a\":\"colorWrite\"}]}]}";
    private static final String READS_NOTHING = "{\"id\":\"bad\",\"resources\":[{\"id\":\"t\",\"kind\":\"texture\"}],"
            + "\"passes\":[{\"id\":\"R\",\"kind\":\"compute\",\"uses\":[{\"r\":\"t\",\"a\":\"sampledComp\"}]}]}";

    final Path folder;
    final String good;
    final String bad;
    final String broken;

    PlanFiles(Path folder) throws IOException {
        this.folder = folder;
        good = write("good.json", GRAPH);
        bad = write("bad.json", READS_NOTHING);
        broken = write("broken.json", "{\"passes\":");
    }

    /** Writes a file and returns its path. */
    String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    /** Returns the names of all files. */
    List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
