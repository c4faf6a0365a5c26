package io.frameloom.samples.gltf;

import io.frameloom.samples.scene.Motion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.joml.Vector3f;
import org.joml.Vector3fc;

/** Reads the lights of KHR_lights_punctual. */
final class LightReader {
    /** Which way a light shines. */
    enum Kind {
        DIRECTIONAL,
        POINT,
        SPOT
    }

    private static final Map<String, Kind> KINDS =
            Map.of("directional", Kind.DIRECTIONAL, "point", Kind.POINT, "spot", Kind.SPOT);

    private final Json root;
    private final List<ModelLight> lights = new ArrayList<>();

    LightReader(Json root) {
        this.root = root;
    }

    /**
     * A light, which shines along the negative z axis of its node.
     *
     * @param color colour times intensity: lux of a directional light, candela of others
     * @param range metres after which it is gone; 0 if it never is
     * @param inner cosine of the angle up to which a spot shines in full
     * @param outer cosine of the angle from which a spot is dark
     * @param place transform of its node
     * @param moves whether the node moves
     */
    record ModelLight(Kind kind, Vector3fc color, float range, float inner, float outer, Motion place, boolean moves) {}

    List<ModelLight> lights() {
        return lights;
    }

    /** Adds the light of a node, if it has one. */
    void add(Json node, Motion place, boolean moves) throws ModelException {
        Json number = node.extension(Extensions.LIGHTS).at("light");
        if (!number.present()) {
            return;
        }
        Json light = root.extension(Extensions.LIGHTS).at("lights").at(number.integer(0));
        if (!light.at("type").present()) {
            throw light.malformed("it has no type");
        }
        Kind kind = light.at("type").choice(Kind.POINT, KINDS);
        float[] color = light.at("color").numbers(1, 1, 1);
        float inner = light.at("spot").at("innerConeAngle").number(0);
        float outer = light.at("spot").at("outerConeAngle").number((float) Math.PI / 4);
        if (inner < 0 || outer > Math.PI / 2 + 1e-4 || inner >= outer) {
            throw light.at("spot").malformed("its cones have the angles " + inner + " and " + outer);
        }
        lights.add(new ModelLight(
                kind,
                new Vector3f(color[0], color[1], color[2])
                        .mul(light.at("intensity").number(1)),
                Math.max(0, light.at("range").number(0)),
                (float) Math.cos(inner),
                (float) Math.cos(outer),
                place,
                moves));
    }
}
