package io.frameloom.rdg.tools.report;

import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Textures with their pictures, then buffers. */
final class ResourceTable {
    /** Resources beyond which only the first ones are listed. */
    static final int MAX_ROWS = 5_000;

    private final PlanIndex index;
    private final Map<String, Thumbnail> thumbnails;
    private final String withoutPicture;
    private final Markup html = new Markup();

    /**
     * A table.
     *
     * @param withoutPicture what is said where there is no picture of a texture
     */
    ResourceTable(PlanIndex index, Map<String, Thumbnail> thumbnails, String withoutPicture) {
        this.index = index;
        this.thumbnails = thumbnails;
        this.withoutPicture = withoutPicture;
    }

    Markup write() {
        table(
                "texture-table",
                true,
                List.of("Texture", "Format", "Extent", "Lifetime", "Used", "Bytes", "Memory", "Picture"));
        table("buffer-table", false, List.of("Buffer", "Lifetime", "Used", "Bytes", "Memory"));
        return html;
    }

    private void table(String id, boolean textures, List<String> columns) {
        List<ResourcePlan> rows = index.plan.resources().stream()
                .filter(resource -> resource.texture() == textures)
                .limit(MAX_ROWS)
                .toList();
        if (rows.isEmpty()) {
            html.element("p", textures ? "The graph has no textures." : "The graph has no buffers.");
            return;
        }
        html.scroll(columns.get(0) + " list");
        html.sortable(id, columns, Set.of("Bytes"));
        rows.forEach(this::row);
        html.close("tbody").close("table").close("div").line();
    }

    private void row(ResourcePlan resource) {
        html.open("tr", "data-resource", resource.index());
        html.nameCell(resource.name(), "resource", resource.index());
        TextureDescription texture = resource.textureDescription();
        if (texture != null) {
            html.element("td", texture.format().name());
            html.element("td", extent(texture), "data-sort", (long) texture.width() * texture.height());
        }
        html.element("td", resource.lifetime().name().toLowerCase(Locale.ROOT));
        int first = index.firstUse[resource.index()];
        html.element("td", used(resource.index()), "data-sort", first);
        long bytes = PassCosts.bytes(resource);
        html.element("td", Units.bytes(bytes), "class", "number", "data-sort", bytes, "title", bytes + " bytes");
        html.element("td", memory(resource));
        if (texture != null) {
            picture(resource, thumbnails.get(resource.name()));
        }
        html.close("tr").line();
    }

    private void picture(ResourcePlan resource, @Nullable Thumbnail thumbnail) {
        html.open("td", "class", "picture");
        if (thumbnail == null) {
            html.text(withoutPicture);
        } else {
            html.empty(
                    "img",
                    "src",
                    "data:image/png;base64," + Base64.getEncoder().encodeToString(thumbnail.png()),
                    "alt",
                    "contents of " + resource.name() + " after the frame",
                    "width",
                    thumbnail.width(),
                    "height",
                    thumbnail.height());
        }
        html.close("td");
    }

    private static String extent(TextureDescription texture) {
        StringBuilder text = new StringBuilder();
        text.append(texture.width()).append(" × ").append(texture.height());
        if (texture.kind() == TextureKind.THREE_D) {
            text.append(" × ").append(texture.depth());
        }
        text.append(texture.mips() > 1 ? ", " + texture.mips() + " mips" : "");
        text.append(texture.layers() > 1 ? ", " + texture.layers() + " layers" : "");
        text.append(texture.samples() > 1 ? ", " + texture.samples() + " samples" : "");
        return text.toString();
    }

    private String used(int resource) {
        int first = index.firstUse[resource];
        int last = index.lastUse[resource];
        if (first < 0) {
            return "by no pass that runs";
        }
        String name = index.passName(index.order.get(first));
        return first == last ? name : name + " … " + index.passName(index.order.get(last));
    }

    private String memory(ResourcePlan resource) {
        if (resource.heap() >= 0) {
            return "heap " + resource.heap() + " at " + resource.offset();
        }
        return index.firstUse[resource.index()] < 0 ? "none" : "its own";
    }
}
