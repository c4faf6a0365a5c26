package io.frameloom.samples.gltf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import de.javagl.jgltf.impl.v2.Accessor;
import de.javagl.jgltf.impl.v2.Buffer;
import de.javagl.jgltf.impl.v2.BufferView;
import de.javagl.jgltf.impl.v2.GlTF;
import de.javagl.jgltf.impl.v2.Image;
import de.javagl.jgltf.impl.v2.Skin;
import de.javagl.jgltf.model.GltfConstants;
import de.javagl.jgltf.model.io.Buffers;
import de.javagl.jgltf.model.io.GltfReference;
import de.javagl.jgltf.model.io.JacksonUtils;
import de.javagl.jgltf.model.io.JsonError;
import de.javagl.jgltf.model.io.RawGltfData;
import de.javagl.jgltf.model.io.RawGltfDataReader;
import de.javagl.jgltf.model.io.v2.GltfAssetV2;
import io.frameloom.samples.IoReasons;
import java.io.ByteArrayInputStream;
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
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a glTF 2.0 file, text or binary, with the buffers and images that it refers to. */
final class AssetReader {
    private static final String PLAIN_DATA = "data:application/octet-stream;base64,";

    private AssetReader() {}

    /**
     * Reads a file and what it refers to.
     *
     * @throws ModelException saying what is wrong, without the name of the file
     */
    static GltfAssetV2 read(Path file) throws ModelException, IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (new String(bytes, 0, Math.min(4, bytes.length), StandardCharsets.ISO_8859_1).equals("glTF")) {
            GlbContainer.check(bytes);
        }
        GltfAssetV2 asset = parse(bytes);
        GlTF gltf = asset.getGltf();
        List<Buffer> buffers = gltf.getBuffers() == null ? List.of() : gltf.getBuffers();
        for (int i = 0; i < buffers.size(); i++) {
            if (buffers.get(i).getUri() == null && (i > 0 || asset.getBinaryData() == null)) {
                throw new ModelException("has buffer " + i + " without data");
            }
        }
        List<Image> images = gltf.getImages() == null ? List.of() : gltf.getImages();
        for (int i = 0; i < images.size(); i++) {
            if (images.get(i).getUri() == null && images.get(i).getBufferView() == null) {
                throw new ModelException("has image " + i + " without data");
            }
        }
        for (Buffer buffer : buffers) {
            buffer.setUri(plain(buffer.getUri()));
        }
        for (Image image : images) {
            image.setUri(plain(image.getUri()));
        }
        for (Skin skin : gltf.getSkins() == null ? List.<Skin>of() : gltf.getSkins()) {
            if (skin.getInverseBindMatrices() == null) {
                skin.setInverseBindMatrices(identities(gltf, skin.getJoints().size()));
            }
        }
        for (GltfReference reference : asset.getReferences()) {
            reference.getTarget().accept(Buffers.create(referred(file, reference)));
        }
        return asset;
    }

    /** Adds the matrices that a skin without any has by the specification; the library requires some. */
    private static int identities(GlTF gltf, int count) {
        ByteBuffer data = ByteBuffer.allocate(64 * count).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 16 * count; i++) {
            data.putFloat(i % 16 % 5 == 0 ? 1 : 0);
        }
        Buffer buffer = new Buffer();
        buffer.setByteLength(data.capacity());
        buffer.setUri(PLAIN_DATA + Base64.getEncoder().encodeToString(data.array()));
        gltf.addBuffers(buffer);
        BufferView view = new BufferView();
        view.setBuffer(gltf.getBuffers().size() - 1);
        view.setByteLength(data.capacity());
        gltf.addBufferViews(view);
        Accessor accessor = new Accessor();
        accessor.setBufferView(gltf.getBufferViews().size() - 1);
        accessor.setComponentType(GltfConstants.GL_FLOAT);
        accessor.setType("MAT4");
        accessor.setCount(count);
        gltf.addAccessors(accessor);
        return gltf.getAccessors().size() - 1;
    }

    private static GltfAssetV2 parse(byte[] bytes) throws ModelException, IOException {
        RawGltfData data = RawGltfDataReader.read(new ByteArrayInputStream(bytes));
        byte[] text = new byte[data.getJsonData().remaining()];
        data.getJsonData().get(text);
        List<JsonError> errors = new ArrayList<>();
        ObjectMapper json = JacksonUtils.createObjectMapper(errors::add);
        json.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        GlTF gltf;
        try {
            JsonNode tree = json.readTree(text);
            String version = tree.path("asset").path("version").asText();
            if (!version.startsWith("2.")) {
                throw new ModelException("is not glTF 2.0: its asset.version is '" + version + "'");
            }
            new AssetChecks(tree).check();
            gltf = json.treeToValue(tree, GlTF.class);
        } catch (JsonProcessingException e) {
            throw new ModelException("is neither binary glTF nor JSON: " + e.getOriginalMessage(), e);
        }
        for (JsonError error : errors) {
            String message =
                    String.valueOf(error.getMessage()).lines().findFirst().orElse("");
            // Unknown properties come without an exception. Empty lists mean the same as none.
            if (error.getThrowable() != null && !message.endsWith("elements is < 1")) {
                List<String> path = error.getJsonPath().stream()
                        .filter(part -> part != null && !part.isEmpty())
                        .toList();
                throw new ModelException("has a malformed " + String.join("/", path) + ": " + message);
            }
        }
        String least = gltf.getAsset().getMinVersion();
        if (least != null && !least.equals("2.0")) {
            throw new ModelException("needs glTF " + least + "; 2.0 is supported");
        }
        List<String> required = gltf.getExtensionsRequired();
        if (required != null && !required.isEmpty()) {
            throw new ModelException("requires " + String.join(", ", required) + ", which is not supported");
        }
        List<Buffer> buffers = gltf.getBuffers();
        // The binary chunk is the first buffer only if that names no other place; the library takes it in any case.
        boolean elsewhere =
                buffers != null && !buffers.isEmpty() && buffers.get(0).getUri() != null;
        return new GltfAssetV2(gltf, elsewhere ? null : data.getBinaryData());
    }

    /** Returns a data URI in the one form that the library knows, and any other as it is. */
    private static @Nullable String plain(@Nullable String uri) throws ModelException {
        if (uri == null || !uri.regionMatches(true, 0, "data:", 0, 5)) {
            return uri;
        }
        int comma = uri.indexOf(',');
        String head = uri.substring(0, Math.max(0, comma)).toLowerCase(Locale.ROOT);
        if (!head.endsWith(";base64")) {
            throw new ModelException("has a data URI that is not base64; no other is supported");
        }
        try {
            // A plus sign stands for itself in a URI, unlike in a form.
            String text = URLDecoder.decode(uri.substring(comma + 1).replace("+", "%2B"), StandardCharsets.US_ASCII);
            return PLAIN_DATA
                    + Base64.getEncoder().encodeToString(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new ModelException("has a data URI that is not base64: " + e.getMessage(), e);
        }
    }

    private static byte[] referred(Path file, GltfReference reference) throws ModelException {
        String uri = reference.getUri();
        try {
            Path path = file.resolveSibling(path(uri));
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                throw new ModelException("refers to " + uri + ", which cannot be read: it is no regular file");
            }
            return Files.readAllBytes(path);
        } catch (InvalidPathException e) {
            throw new ModelException("refers to " + uri + ", which is no name of a file: " + e.getReason(), e);
        } catch (IOException e) {
            throw new ModelException("refers to " + uri + ", which cannot be read: " + IoReasons.of(e), e);
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
