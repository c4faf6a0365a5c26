package io.frameloom.samples.gltf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.samples.IoReasons;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A glTF 2.0 file, text or binary: its JSON, whose references and extents are checked, and the bytes of its buffer
 * views and images.
 */
final class GltfDocument {
    private final Path file;
    private final Json root;
    private final List<@Nullable ByteBuffer> buffers = new ArrayList<>();
    private final Map<Integer, ByteBuffer> views = new HashMap<>();

    /**
     * Reads a file and the buffers that it refers to.
     *
     * @throws ModelException saying what is wrong, without the name of the file
     */
    GltfDocument(Path file) throws ModelException, IOException {
        this.file = file;
        byte[] bytes = Files.readAllBytes(file);
        GlbContainer.Chunks chunks = GlbContainer.split(bytes);
        root = parse(chunks.json());
        Extensions.check(root);
        new AssetChecks(root).check();
        for (Json image : root.at("images").elements()) {
            if (!image.at("uri").present() && !image.at("bufferView").present()) {
                throw new ModelException("has image " + number(image) + " without data");
            }
        }
        for (Json buffer : root.at("buffers").elements()) {
            buffers.add(buffer(buffer, chunks.binary()));
        }
    }

    /**
     * Returns the files beside a model that it refers to and that are there, without reading them.
     *
     * @throws ModelException saying what is wrong, without the name of the file
     */
    static List<Path> referredFiles(Path file) throws ModelException, IOException {
        Json root = parse(GlbContainer.split(Files.readAllBytes(file)).json());
        List<Path> files = new ArrayList<>();
        for (String kind : List.of("buffers", "images")) {
            for (Json element : root.at(kind).elements()) {
                String uri = element.at("uri").text("data:");
                if (!uri.regionMatches(true, 0, "data:", 0, 5)) {
                    Path path = beside(file, uri);
                    // What is not read, such as a fallback, may be missing.
                    if (Files.isRegularFile(path)) {
                        files.add(path);
                    }
                }
            }
        }
        return files;
    }

    private static Json parse(byte[] text) throws ModelException, IOException {
        ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        JsonNode tree;
        try {
            tree = mapper.readTree(text);
        } catch (JsonProcessingException e) {
            throw new ModelException("is neither binary glTF nor JSON: " + e.getOriginalMessage(), e);
        }
        String version = tree.path("asset").path("version").asText();
        if (!version.startsWith("2.")) {
            throw new ModelException("is not glTF 2.0: its asset.version is '" + version + "'");
        }
        Json root = new Json(tree, "");
        String least = root.at("asset").at("minVersion").text("2.0");
        if (!least.equals("2.0")) {
            throw new ModelException("needs glTF " + least + "; 2.0 is supported");
        }
        return root;
    }

    private @Nullable ByteBuffer buffer(Json buffer, @Nullable ByteBuffer binary) throws ModelException {
        if (Meshopt.isFallback(buffer)) {
            return null;
        }
        ByteBuffer data;
        if (buffer.at("uri").present()) {
            data = referred(buffer.at("uri").text(""));
        } else if (buffer.place().equals("buffers/0") && binary != null) {
            data = binary;
        } else if (Meshopt.replaces(root, number(buffer))) {
            return null;
        } else {
            throw new ModelException("has buffer " + number(buffer) + " without data");
        }
        int length = buffer.at("byteLength").integer(-1);
        if (length < 0 || length > data.remaining()) {
            throw new ModelException("has buffer " + number(buffer) + " of " + length + " bytes, of which there are "
                    + data.remaining());
        }
        return data;
    }

    /** Returns the JSON of the whole file. */
    Json root() {
        return root;
    }

    /** Returns the bytes of a buffer view from position 0 on, little-endian; not to be written. */
    ByteBuffer view(int index) throws ModelException {
        ByteBuffer known = views.get(index);
        if (known == null) {
            Json view = root.at("bufferViews").at(index);
            Json compressed = Meshopt.compressed(view);
            known = compressed == null
                    ? range(view)
                    : Meshopt.decode(
                            compressed, range(compressed), view.at("byteLength").integer(-1));
            views.put(index, known);
        }
        return known.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the bytes of a buffer that a buffer view, or its compressed form, names. */
    private ByteBuffer range(Json view) throws ModelException {
        int buffer = view.at("buffer").integer(-1);
        long offset = view.at("byteOffset").integer(0);
        int length = view.at("byteLength").integer(-1);
        ByteBuffer data = buffer < 0 ? null : buffers.get(buffer);
        if (data == null || length < 1 || offset + length > data.remaining()) {
            throw view.malformed("its bytes, " + length + " from " + offset + " on, are not in buffer " + buffer);
        }
        return data.slice(data.position() + (int) offset, length);
    }

    /** Returns the bytes of an image. */
    ByteBuffer image(int index) throws ModelException {
        Json image = root.at("images").at(index);
        Json view = image.at("bufferView");
        return view.present() ? view(view.integer(0)) : referred(image.at("uri").text(""));
    }

    private static String number(Json element) {
        return element.place().substring(element.place().lastIndexOf('/') + 1);
    }

    private ByteBuffer referred(String uri) throws ModelException {
        if (uri.regionMatches(true, 0, "data:", 0, 5)) {
            return ByteBuffer.wrap(embedded(uri));
        }
        try {
            Path path = beside(file, uri);
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                throw new ModelException("refers to " + uri + ", which cannot be read: it is no regular file");
            }
            return ByteBuffer.wrap(Files.readAllBytes(path));
        } catch (InvalidPathException e) {
            throw new ModelException("refers to " + uri + ", which is no name of a file: " + e.getReason(), e);
        } catch (IOException e) {
            throw new ModelException("refers to " + uri + ", which cannot be read: " + IoReasons.of(e), e);
        }
    }

    /** Returns the file that a URI names: a model has only what is in its folder and below. */
    private static Path beside(Path file, String uri) throws ModelException {
        Path path = file.resolveSibling(path(uri));
        Path folder = file.toAbsolutePath().normalize().getParent();
        if (folder != null && !path.toAbsolutePath().normalize().startsWith(folder)) {
            throw new ModelException("refers to " + uri + ", which is not in the model's folder; copy it there and name"
                    + " it by its place in that folder");
        }
        return path;
    }

    private static byte[] embedded(String uri) throws ModelException {
        int comma = uri.indexOf(',');
        String head = uri.substring(0, Math.max(0, comma)).toLowerCase(Locale.ROOT);
        if (!head.endsWith(";base64")) {
            throw new ModelException("has a data URI that is not base64; no other is supported");
        }
        try {
            // A plus sign stands for itself in a URI, unlike in a form.
            return Base64.getDecoder()
                    .decode(URLDecoder.decode(uri.substring(comma + 1).replace("+", "%2B"), StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            throw new ModelException("has a data URI that is not base64: " + e.getMessage(), e);
        }
    }

    /** The path that a relative URI names; what is no URI, such as a name with spaces, is one as it stands. */
    private static String path(String uri) throws ModelException {
        URI parsed;
        try {
            parsed = new URI(uri);
        } catch (URISyntaxException e) {
            return uri;
        }
        String path = parsed.getPath();
        if (parsed.getScheme() != null || path == null) {
            throw new ModelException("refers to " + uri + "; only files and data in the model itself are read");
        }
        return path;
    }
}
